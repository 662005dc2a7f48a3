/** Whether a guest's memory can grow while it runs. Asked by the defaulter and by the rules. */
import { Amount, parseQuantity } from '@podvisor/base';
import type { Quantity, VMISpec } from '../types/index.ts';

const MIB = 1024 * 1024;
/** virtio-mem plugs in blocks of a transparent huge page. */
const BLOCK_BYTES = 2 * MIB;
const GIB = 1024 * MIB;
const MINIMUM_GUEST = Amount.ofBytes(GIB);

/** The reason against growing up to `maxGuest`, or undefined when it works. */
export function hotplugMemoryProblem(spec: VMISpec, maxGuest: Quantity | undefined): string | undefined {
  const { cpu, launchSecurity, memory } = spec.domain;
  if (cpu?.realtime) return 'Memory hotplug is not compatible with realtime VMs';
  if (cpu?.numa?.guestMappingPassthrough)
    return 'Memory hotplug is not compatible with guest mapping passthrough';
  if (launchSecurity) return 'Memory hotplug is not compatible with encrypted VMs';
  if (memory?.guest === undefined) return 'Guest memory must be configured when memory hotplug is enabled';
  if (maxGuest === undefined) return 'Max guest memory must be configured when memory hotplug is enabled';
  const guest = parseQuantity(memory.guest);
  const limit = parseQuantity(maxGuest);
  const block = memory.hugepages?.pageSize === '1Gi' ? GIB : BLOCK_BYTES;
  if (guest.compare(limit) > 0) return 'Guest memory is greater than the configured maxGuest memory';
  if (guest.value() % block !== 0) return `Guest memory must be ${Amount.ofBytes(block)} aligned`;
  if (limit.value() % block !== 0) return `MaxGuest must be ${Amount.ofBytes(block)} aligned`;
  if (spec.architecture !== 'amd64') return 'Memory hotplug is only available for x86_64 VMs';
  if (guest.compare(MINIMUM_GUEST) < 0)
    return 'Memory hotplug is only available for VMs with at least 1Gi of guest memory';
  return undefined;
}
