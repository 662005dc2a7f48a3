/**
 * The firmware UUID of a VM whose template has none: UUID version 5 (RFC 9562, 5.5) of the VM's name.
 * Such VMs were made before UUIDs were stored; the guest must see the same machine at every start.
 */
import { createHash } from 'node:crypto';

const NAMESPACE = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';

export function legacyFirmwareUuid(vmName: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(vmName)
    .digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
