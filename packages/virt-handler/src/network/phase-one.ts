/**
 * Network phase 1: builds bridge, TAP and NAT in the Pod's namespace, for every interface of the VMI. May
 * be repeated at any time; the Pod's NIC as it was before is kept in the VMI's record.
 */
import type { Interface, InterfaceAttachment, VirtualMachineInstance } from '@podvisor/api';
import {
  applyActions,
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
  podInterfaceName,
} from '@podvisor/network';
import { guestHostname } from '@podvisor/storage';
import type { PodAccess } from './pod-access.ts';

/** Where Pod NICs are remembered from before the first change. */
export interface NicMemory {
  get(name: string): PodNic | undefined;
  put(nic: PodNic): void;
}

const MAX_QUEUES = 256;

/** Makes the Pod's network ready for the guest; the result goes to the launcher. */
export async function setUpNetwork(
  vmi: VirtualMachineInstance,
  pod: PodAccess,
  memory: NicMemory,
): Promise<readonly InterfaceAttachment[]> {
  const guest = guestFacts(vmi, pod.resolvConf());
  const networks = new Map((vmi.spec.networks ?? []).map((n) => [n.name, n]));
  const attachments: InterfaceAttachment[] = [];
  for (const [index, nicSpec] of (vmi.spec.domain.devices.interfaces ?? []).entries()) {
    const network = networks.get(nicSpec.name);
    if (network === undefined || nicSpec.state === 'absent' || bindingKind(nicSpec) === undefined) continue;
    const observed = await observeNetns(pod.netnsPath);
    const nic = podNic(observed, podInterfaceName(network), memory);
    const spec: BindingSpec = { interface: nicSpec, network, index, queueCount: queues(vmi, nicSpec), guest };
    const plan = planBinding(spec, nic, observed);
    await applyActions(pod.netnsPath, plan.actions);
    attachments.push(plan.attachment);
  }
  return attachments;
}

/** The NIC as it was before our first change: remembered, or seen now and remembered from now on. */
function podNic({ links, routes, routes6 }: Observed, name: string, memory: NicMemory): PodNic {
  const known = memory.get(name);
  if (known !== undefined) return known;
  // Without a record, a moved NIC cannot be told from a tenant's invention: better no network than a wrong one.
  if (links.some((link) => link.ifname === movedInterfaceName(name)))
    throw new Error(`the Pod's NIC ${name} was changed already, and what it was is not known`);
  const nic = describePodNic(name, links, routes, routes6);
  if (nic === undefined) throw new Error(`the Pod has no NIC ${name}`);
  memory.put(nic);
  return nic;
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

/** One queue pair per vCPU when multiqueue is asked for and the NIC's model can do it. */
function queues(vmi: VirtualMachineInstance, nic: Interface): number {
  const isVirtio = nic.model === undefined || nic.model === '' || nic.model === 'virtio';
  if (vmi.spec.domain.devices.networkInterfaceMultiqueue !== true || !isVirtio) return 1;
  const { sockets = 1, cores = 1, threads = 1 } = vmi.spec.domain.cpu ?? {};
  return Math.min(Math.max(1, sockets * cores * threads), MAX_QUEUES);
}
