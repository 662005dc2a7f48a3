/** The further networks that a launcher Pod names, while NICs are plugged in and out. Pure. */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';

export const POD_NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/**
 * The annotation that the running Pod should have; undefined when nothing says that it has to do with further
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
