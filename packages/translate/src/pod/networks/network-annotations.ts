/**
 * Annotations by which others wire the Pod: Multus reads which further networks it joins, Istio which interface
 * carries the guest's traffic. `renderLauncherPod` takes them ready made (`options.annotations`).
 */
import { memberOf } from '@podvisor/base';
import type { ClusterConfig, Interface, Network, VirtualMachineInstance } from '@podvisor/api';
import { sha256Hex } from '../sha256.ts';

const MULTUS_NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const MULTUS_DEFAULT = 'v1.multus-cni.io/default-network';
/** Both mean the same: meshes older than 1.25 read the first, younger ones the second, which ambient meshes read too. */
const ISTIO_INTERFACES = [
  'traffic.sidecar.istio.io/kubevirtInterfaces',
  'istio.io/reroute-virtual-interfaces',
] as const;
const PRIMARY_BRIDGE = 'k6t-eth0';

/** One entry of Multus' list, in the order of its own type. */
export interface NetworkSelection {
  readonly name: string;
  readonly namespace: string;
  readonly mac?: string;
  readonly interface?: string;
  readonly 'cni-args'?: Readonly<Record<string, string>>;
}

/** Name of the Pod's NIC for a secondary network; a hash, because names of interfaces end at 15 characters. */
export function secondaryInterfaceName(network: string): string {
  return `pod${sha256Hex(network).slice(0, 11)}`;
}

/**
 * Name of the Pod's NIC that takes the place of the first one when a running VMI changes to another definition: both
 * are in the Pod for a moment. `reference` is `namespace/name` of the definition.
 */
export function replacementInterfaceName(network: string, reference: string): string {
  return secondaryInterfaceName(`${network} ${reference}`);
}

/** `namespace/name` of a definition that a VMI of this namespace names. */
export function definitionReference(reference: string, home: string): string {
  const { namespace, name } = definitionOf(reference, home);
  return `${namespace}/${name}`;
}

/** The annotations; empty for a VMI on the Pod network alone without masquerade. */
export function networkAnnotations(
  vmi: VirtualMachineInstance,
  config: ClusterConfig,
): Readonly<Record<string, string>> {
  const interfaces = (vmi.spec.domain.devices.interfaces ?? []).filter(({ state }) => state !== 'absent');
  const networks = (vmi.spec.networks ?? []).filter(({ name }) =>
    interfaces.some((nic) => nic.name === name),
  );
  const fallback = vmi.spec.networks?.find(({ multus }) => multus?.default)?.multus?.networkName;
  const selections = networks.flatMap((network) => selectionsOf(network, interfaces, vmi, config));
  return {
    ...(selections.length === 0 ? {} : { [MULTUS_NETWORKS]: JSON.stringify(selections) }),
    ...(fallback === undefined ? {} : { [MULTUS_DEFAULT]: fallback }),
    ...(vmi.spec.domain.devices.interfaces?.some(({ masquerade }) => masquerade !== undefined)
      ? Object.fromEntries(ISTIO_INTERFACES.map((name) => [name, PRIMARY_BRIDGE]))
      : {}),
  };
}

/** The network itself, and the one that its binding plugin works through. */
function selectionsOf(
  { name, multus }: Network,
  interfaces: readonly Interface[],
  vmi: VirtualMachineInstance,
  config: ClusterConfig,
): readonly NetworkSelection[] {
  const nic = interfaces.find((candidate) => candidate.name === name);
  const plugin = memberOf(config.networkBindings, nic?.binding?.name ?? '')?.networkAttachmentDefinition;
  const home = vmi.metadata?.namespace ?? 'default';
  return [
    ...(multus === undefined || multus.default
      ? []
      : [
          {
            ...definitionOf(multus.networkName, home),
            ...(nic?.macAddress ? { mac: nic.macAddress } : {}),
            interface: secondaryInterfaceName(name),
          },
        ]),
    ...(plugin === undefined
      ? []
      : [{ ...definitionOf(plugin, home), 'cni-args': { logicNetworkName: name } }]),
  ];
}

/** `namespace/name`, or a name in the VMI's own namespace. */
function definitionOf(
  reference: string,
  home: string,
): { readonly name: string; readonly namespace: string } {
  const slash = reference.indexOf('/');
  return slash < 0
    ? { name: reference, namespace: home }
    : { name: reference.slice(slash + 1), namespace: reference.slice(0, slash) };
}
