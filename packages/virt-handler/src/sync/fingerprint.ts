import { createHash } from 'node:crypto';
import type { VirtualMachineInstance } from '@podvisor/api';

/** Tells one version of a spec from another (the VMI's generation also counts changes of its status). */
export function specFingerprint(vmi: VirtualMachineInstance): string {
  return createHash('sha256').update(JSON.stringify(vmi.spec)).digest('hex');
}
