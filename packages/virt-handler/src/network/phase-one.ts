/**
 * Network phase 1: builds bridge, TAP and NAT in the Pod's namespace, for every interface of the VMI. May
 * be repeated at any time; the Pod's NIC as it was before is kept in the VMI's record.
 */
import type { InterfaceAttachment, Network, VirtualMachineInstance } from '@podvisor/api';
import {
  applyActions,
  type BindingPlugins,
  type BindingSpec,
  bindingKind,
  describePodNic,
  guestSearchDomains,
  movedInterfaceName,
  type Observed,
  observeNetns,
  type PodNic,
  parseResolvConf,
  planBinding,
  PRIMARY_POD_INTERFACE,
  podInterfaceName,
  tapName,
  undoBridge,
  undoMasquerade,
} from '@podvisor/network';
import { guestHostname } from '@podvisor/storage';
import { definitionReference, replacementInterfaceName } from '@podvisor/translate';
import type { PodAccess } from './pod-access.ts';
import { queueCount } from './queue-count.ts';

/** Where Pod NICs are remembered from before the first change. */
export interface NicMemory {
  get(name: string): PodNic | undefined;
  put(nic: PodNic): void;
  list(): readonly PodNic[];
  forget(name: string): void;
}

export interface PhaseOne {
  readonly attachments: readonly InterfaceAttachment[];
  /** Interfaces that the running VM is to get, and whose NIC is not in the Pod yet. */
  readonly waiting: readonly string[];
}

export interface PhaseOneOptions {
  readonly isRunning?: boolean;
  /** What was made before. */
  readonly previous?: readonly InterfaceAttachment[];
  /** Binding plugins that the cluster registers. */
  readonly plugins?: BindingPlugins;
}

const MESH_ANNOTATION = 'sidecar.istio.io/inject';

/**
 * Makes the Pod's network ready for the guest; the result goes to the launcher. What fails half-way for an
 * interface is undone, so that the Pod keeps a network that the next attempt (or its owner) understands.
 */
export async function setUpNetwork(
  vmi: VirtualMachineInstance,
  pod: Pick<PodAccess, 'netnsPath' | 'resolvConf' | 'qemuUser'>,
  memory: NicMemory,
  { isRunning = false, previous = [], plugins = {} }: PhaseOneOptions = {},
): Promise<PhaseOne> {
  const guest = guestFacts(vmi, pod.resolvConf());
  const networks = new Map((vmi.spec.networks ?? []).map((n) => [n.name, n]));
  const attachments: InterfaceAttachment[] = [];
  const waiting: string[] = [];
  for (const [index, nicSpec] of (vmi.spec.domain.devices.interfaces ?? []).entries()) {
    const network = networks.get(nicSpec.name);
    if (network === undefined || nicSpec.state === 'absent' || bindingKind(nicSpec, plugins) === undefined)
      continue;
    const observed = await observeNetns(pod.netnsPath);
    const definition = definitionOf(vmi, network);
    const used = previous.find(({ name }) => name === nicSpec.name)?.podInterface;
    const name = podNicName(observed, network, definition, used);
    const nic = podNic(observed, name, memory, isRunning, definition);
    if (nic === undefined) {
      waiting.push(nicSpec.name);
      continue;
    }
    // The guest stays on the network that it has until the other one is there.
    if (isRunning && nicSpec.bridge !== undefined && (nic.definition ?? definition) !== definition)
      waiting.push(nicSpec.name);
    const spec: BindingSpec = {
      interface: nicSpec,
      network,
      index,
      queueCount: queueCount(vmi, nicSpec),
      ...knownMac(vmi, nicSpec.name),
      hasMeshProxy: vmi.metadata?.annotations?.[MESH_ANNOTATION]?.toLowerCase() === 'true',
      guest,
      user: pod.qemuUser,
    };
    const plan = planBinding(spec, nic, observed, plugins);
    await applyActions(pod.netnsPath, plan.actions, `network-${nicSpec.name}`).catch(
      async (error: unknown) => {
        // What a running guest uses is never taken from it because of a failed repair.
        if (!isRunning) await undo(nic, plan.attachment.binding, pod.netnsPath);
        throw error;
      },
    );
    attachments.push(plan.attachment);
  }
  await releaseUnplugged(pod.netnsPath, memory, attachments);
  return { attachments, waiting };
}

async function undo(nic: PodNic, binding: InterfaceAttachment['binding'], nsPath: string): Promise<void> {
  const observed = await observeNetns(nsPath);
  if (binding === 'passt') return; // its settings hinder nobody
  const actions = binding !== 'masquerade' ? undoBridge(nic, observed) : undoMasquerade(nic.name, observed);
  await applyActions(nsPath, actions);
}

/** `namespace/name` of the definition behind a further network. */
function definitionOf({ metadata }: VirtualMachineInstance, { multus }: Network): string | undefined {
  if (multus === undefined || multus.default === true) return undefined;
  return definitionReference(multus.networkName, metadata?.namespace ?? 'default');
}

/**
 * The Pod's NIC for this network. When the VMI changes to another definition its NIC comes under a name of its own,
 * beside the one in use; as soon as it is there it is the one.
 */
function podNicName(
  { links }: Observed,
  network: Network,
  definition: string | undefined,
  used: string | undefined,
): string {
  const isThere = (name: string): boolean =>
    links.some(({ ifname }) => ifname === name || ifname === movedInterfaceName(name));
  const replacement =
    definition === undefined ? undefined : replacementInterfaceName(network.name, definition);
  if (replacement !== undefined && isThere(replacement)) return replacement;
  return used !== undefined && isThere(used) ? used : podInterfaceName(network);
}

/** NICs of interfaces that were unplugged or replaced go back to what they were, once nobody uses their TAPs. */
async function releaseUnplugged(
  nsPath: string,
  memory: NicMemory,
  attachments: readonly InterfaceAttachment[],
): Promise<void> {
  const used = new Set(attachments.map(({ podInterface }) => podInterface));
  const usedTaps = new Set(attachments.map(({ tapDevice }) => tapDevice));
  const former = memory.list().filter(({ name }) => !used.has(name) && name !== PRIMARY_POD_INTERFACE);
  if (former.length === 0) return;
  const observed = await observeNetns(nsPath);
  for (const nic of former) {
    const isReplaced = usedTaps.has(tapName(nic.name));
    const tap = observed.links.find(({ ifname }) => ifname === tapName(nic.name));
    if (!isReplaced && tap !== undefined && !tap.flags.includes('NO-CARRIER')) continue;
    const isThere = observed.links.some(({ ifname }) =>
      [nic.name, movedInterfaceName(nic.name)].includes(ifname),
    );
    const stillUsed = { tap: isReplaced, arpIgnore: attachments.some(({ bridge }) => bridge !== undefined) };
    if (isThere) await applyActions(nsPath, undoBridge(nic, observed, stillUsed));
    memory.forget(nic.name);
  }
}

/** The NIC as it was before our first change: remembered, or seen now and remembered from now on. */
function podNic(
  { links, routes, routes6 }: Observed,
  name: string,
  memory: NicMemory,
  isRunning: boolean,
  definition: string | undefined,
): PodNic | undefined {
  const known = memory.get(name);
  if (known !== undefined) return known;
  // Without a record, a moved NIC cannot be told from a tenant's invention: better no network than a wrong one.
  if (links.some((link) => link.ifname === movedInterfaceName(name)))
    throw new Error(`the Pod's NIC ${name} was changed already, and what it was is not known`);
  const found = describePodNic(name, links, routes, routes6);
  const nic = found === undefined || definition === undefined ? found : { ...found, definition };
  // A NIC that is plugged into a running Pod comes later than the request for it.
  if (nic === undefined && isRunning) return undefined;
  if (nic === undefined) throw new Error(`the Pod has no NIC ${name}`);
  memory.put(nic);
  return nic;
}

/** A guest that comes from another Pod brings its MAC address along. */
function knownMac({ status }: VirtualMachineInstance, name: string): Pick<BindingSpec, 'knownMac'> {
  const mac = status?.interfaces?.find((nic) => nic.name === name)?.mac;
  return mac === undefined || mac === '' ? {} : { knownMac: mac };
}

function guestFacts(vmi: VirtualMachineInstance, resolvConf: string): BindingSpec['guest'] {
  const { nameservers, nameservers6, search } = parseResolvConf(resolvConf);
  return {
    hostname: guestHostname(vmi),
    dnsServers: nameservers,
    dnsServers6: nameservers6,
    searchDomains: guestSearchDomains(search, vmi.spec.subdomain, vmi.metadata?.namespace ?? 'default'),
  };
}
