/** Devices that need the guest's memory to be shared with another process. */
import type { VMISpec } from '@podvisor/api';

/** virtiofs and passt run outside QEMU and reach into guest memory. */
export function hasSharedMemoryDevice(spec: VMISpec): boolean {
  const { filesystems = [], interfaces = [] } = spec.domain.devices;
  return filesystems.length > 0 || interfaces.some((nic) => nic.passtBinding !== undefined);
}
