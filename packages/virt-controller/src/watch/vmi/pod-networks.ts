/** The further networks that a launcher Pod names, while NICs are plugged in and out, and their devices. Pure. */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { NETWORK_INFO, NETWORK_STATUS, networkInfoOf } from '@podvisor/translate';

export const POD_NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/**
 * The annotation that a Pod made from this VMI would have; undefined when nothing says that it has to do with further
 * networks at all. A NIC that is being unplugged stays in the Pod until the guest has let go of it.
 */
export function podNetworksOf(
  vmi: VirtualMachineInstance,
  pods: readonly Pod[],
  render: (vmi: VirtualMachineInstance) => Pod,
): string | undefined {
  const isConcerned =
    (vmi.spec.networks ?? []).some(({ multus }) => multus !== undefined) ||
    pods.some(({ metadata }) => metadata.annotations?.[POD_NETWORKS] !== undefined);
  if (!isConcerned) return undefined;
  const held = new Set((vmi.status?.interfaces ?? []).map(({ name }) => name));
  const { devices } = vmi.spec.domain;
  const interfaces = devices.interfaces?.map(({ state, ...nic }) =>
    state === undefined || (state === 'absent' && held.has(nic.name)) ? nic : { ...nic, state },
  );
  const domain = { ...vmi.spec.domain, devices: { ...devices, interfaces } };
  return render({ ...vmi, spec: { ...vmi.spec, domain } }).metadata.annotations?.[POD_NETWORKS] ?? '';
}

/** Multus' words about a Pod are kept in the cache only where they name devices: few Pods have any. */
export function namesDevices(key: string, value: string): boolean {
  return key === NETWORK_STATUS && value.includes('"device-info"');
}

/** What the Pod's annotation of its networks' devices should say; undefined when it says so, or nothing is known. */
export function missingNetworkInfo(vmi: VirtualMachineInstance, { metadata }: Pod): string | undefined {
  const info = networkInfoOf(vmi, metadata.annotations?.[NETWORK_STATUS]);
  return info === metadata.annotations?.[NETWORK_INFO] ? undefined : info;
}
