/** What the Pod's own libvirt can do, beside what virt-handler said. */
import type { SyncOptions, VirtualMachineInstance } from '@podvisor/api';
import type { LibvirtConnection } from '@podvisor/libvirt';
import type { BuildOptions } from './context.ts';

/** The first libvirt that starts passt and connects it by vhost-user. */
const VHOST_USER_PASST = 11_001_000;

/**
 * Port of the Pod's loopback where QEMU meets passt when libvirt is older. The same in every Pod, because the
 * domain keeps it when it moves; in the range of ephemeral ports, which passt leaves alone.
 */
export const PASST_PORT = 59_875;

export async function buildOptions(
  connection: Pick<LibvirtConnection, 'libvirtVersion'>,
  { spec }: VirtualMachineInstance,
  options: SyncOptions,
): Promise<BuildOptions> {
  if (spec.domain.devices.interfaces?.some((nic) => nic.passtBinding !== undefined) !== true) return options;
  if ((await connection.libvirtVersion()) >= VHOST_USER_PASST) return options;
  return { ...options, passtInterface: { kind: 'client', port: PASST_PORT } };
}
