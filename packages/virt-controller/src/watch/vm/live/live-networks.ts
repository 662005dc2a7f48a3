/**
 * Which changes of a VM's interfaces a running VMI can follow: links going up and down, interfaces that are
 * plugged in (bridge or SR-IOV, on a further network) and unplugged (`state: absent`, bridge), and another definition
 * (`networkName`) for a further network. Pure.
 */
import type { Interface, Network, VirtualMachineInstance, VMISpec } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { type JsonPatchOperation, guardedListChange } from '@podvisor/kube';

type Networks = Pick<VMISpec, 'networks'> & { readonly interfaces?: readonly Interface[] };

function networksOf(spec: VMISpec | undefined): Networks {
  return { interfaces: spec?.domain.devices.interfaces ?? [], networks: spec?.networks ?? [] };
}

/** The VMI's networks as its VM's template wants them, as far as they can follow; unchanged otherwise. */
export function liveNetworks(template: VMISpec | undefined, vmi: VirtualMachineInstance): Required<Networks> {
  const { interfaces: desired = [], networks: desiredNetworks = [] } = networksOf(template);
  const { interfaces = [], networks = [] } = networksOf(vmi.spec);
  const reported = new Set((vmi.status?.interfaces ?? []).map(({ name }) => name));
  const kept = interfaces
    .map((nic) =>
      withState(
        nic,
        desired.find(({ name }) => name === nic.name),
      ),
    )
    // An unplugged interface goes when the guest has let go of it.
    .filter(({ name, state }) => state !== 'absent' || reported.has(name));
  const plugged = desired.filter(
    (nic) =>
      nic.state !== 'absent' &&
      !interfaces.some(({ name }) => name === nic.name) &&
      isPluggable(nic, desiredNetworks),
  );
  const names = new Set([...kept, ...plugged].map(({ name }) => name));
  const known = new Set(networks.map(({ name }) => name));
  const followed = networks.map((network) => withDefinition(network, desiredNetworks));
  return {
    interfaces: [...kept, ...plugged],
    networks: [...followed, ...desiredNetworks.filter(({ name }) => !known.has(name))].filter(({ name }) =>
      names.has(name),
    ),
  };
}

/** The network with the definition that the template names now; anything else of a network only a restart changes. */
function withDefinition(network: Network, desired: readonly Network[]): Network {
  const wanted = desired.find(({ name }) => name === network.name);
  if (wanted === undefined || !isFurther(wanted)) return network;
  return deepEqual(withoutDefinition(wanted), withoutDefinition(network)) ? wanted : network;
}

/** Which definition a further network names does not count: a running VMI follows it. */
function withoutDefinition(network: Network): Network {
  const { multus } = network;
  return multus === undefined || !isFurther(network)
    ? network
    : { ...network, multus: { ...multus, networkName: '' } };
}

function isFurther({ multus }: Network): boolean {
  return multus !== undefined && multus.default !== true;
}

/** The patch of the VMI's spec; empty when it is as it should be. */
export function liveNetworksPatch(
  template: VMISpec | undefined,
  vmi: VirtualMachineInstance,
): readonly JsonPatchOperation[] {
  const wanted = liveNetworks(template, vmi);
  const { interfaces: oldInterfaces, networks: oldNetworks } = {
    interfaces: vmi.spec.domain.devices.interfaces,
    networks: vmi.spec.networks,
  };
  return [
    ...guardedListChange('/spec/domain/devices/interfaces', oldInterfaces, wanted.interfaces),
    ...guardedListChange('/spec/networks', oldNetworks, wanted.networks),
  ];
}

/** The patch that takes unplugged interfaces out of a VM's template, once no VMI has them any more; empty: none. */
export function unpluggedPatch(
  template: VMISpec | undefined,
  vmi: VirtualMachineInstance | undefined,
): readonly JsonPatchOperation[] {
  if (template === undefined || vmi?.metadata?.deletionTimestamp !== undefined) return [];
  const { interfaces, networks } = {
    interfaces: template.domain.devices.interfaces,
    networks: template.networks,
  };
  const held = new Set(
    [...(vmi?.spec.domain.devices.interfaces ?? []), ...(vmi?.status?.interfaces ?? [])].map(
      ({ name }) => name,
    ),
  );
  const gone = new Set(
    (interfaces ?? []).flatMap(({ name, state }) => (state === 'absent' && !held.has(name) ? [name] : [])),
  );
  if (gone.size === 0) return [];
  const left = <T extends { readonly name: string }>(list: readonly T[] | undefined): readonly T[] =>
    (list ?? []).filter(({ name }) => !gone.has(name));
  return [
    ...guardedListChange('/spec/template/spec/domain/devices/interfaces', interfaces, left(interfaces)),
    ...guardedListChange('/spec/template/spec/networks', networks, left(networks)),
  ];
}

/** What a VMI was made from, without the interfaces that were unplugged from it since. */
export function withoutUnplugged(
  started: VMISpec | undefined,
  vmi: VirtualMachineInstance,
): VMISpec | undefined {
  if (started === undefined) return undefined;
  const { devices } = started.domain;
  const there = new Set((vmi.spec.domain.devices.interfaces ?? []).map(({ name }) => name));
  const unplugged = new Set(
    (devices.interfaces ?? []).flatMap(({ name }) => (there.has(name) ? [] : [name])),
  );
  if (unplugged.size === 0) return started;
  const interfaces = devices.interfaces?.filter(({ name }) => !unplugged.has(name));
  const networks = started.networks?.filter(({ name }) => !unplugged.has(name));
  return { ...started, domain: { ...started.domain, devices: { ...devices, interfaces } }, networks };
}

/** The part of a template's networks that only a restart changes. `started`: what the VMI was made from. */
export function frozenNetworks(template: VMISpec | undefined, started: VMISpec | undefined): Networks {
  const { interfaces = [], networks = [] } = networksOf(template);
  const before = networksOf(started);
  const wasThere = (name: string): boolean => (before.interfaces ?? []).some((nic) => nic.name === name);
  const follows = (nic: Interface): boolean => !wasThere(nic.name) && isPluggable(nic, networks);
  const frozen = interfaces.filter((nic) => !follows(nic));
  const live = new Set(interfaces.filter(follows).map(({ name }) => name));
  return {
    interfaces: frozen.map(withoutState),
    networks: networks.filter(({ name }) => !live.has(name)).map(withoutDefinition),
  };
}

function withoutState(nic: Interface): Interface {
  const { state: _, ...rest } = nic;
  return rest;
}

function withState(nic: Interface, wanted: Interface | undefined): Interface {
  if (wanted === undefined || wanted.state === nic.state) return nic;
  // Only interfaces that a guest can let go of are unplugged.
  if (wanted.state === 'absent' && nic.bridge === undefined) return nic;
  const rest = withoutState(nic);
  return wanted.state === undefined ? rest : { ...rest, state: wanted.state };
}

function isPluggable(nic: Interface, networks: readonly Network[]): boolean {
  const network = networks.find(({ name }) => name === nic.name);
  return network !== undefined && isFurther(network) && (nic.bridge !== undefined || nic.sriov !== undefined);
}
