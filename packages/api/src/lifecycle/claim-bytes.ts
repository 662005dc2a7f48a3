import { parseQuantity } from '@podvisor/base';
import type { PersistentVolumeClaimInfo } from '../types/index.ts';

/** Bytes of a claim as the VMI's status has it: what it has, else what was asked for. Undefined: nobody knows. */
export function claimBytes(info: PersistentVolumeClaimInfo | undefined): number | undefined {
  const size = info?.capacity?.['storage'] ?? info?.requests?.['storage'];
  return size === undefined ? undefined : parseQuantity(size).value();
}
