/** Which hibernated state a VMI has to do with. Pure. */
import type { VirtualMachineInstance } from '../types/index.ts';
import { hibernatedStateOf, hibernationVolume } from './hibernation.ts';
import { memorySnapshotVolume } from './memory-snapshot.ts';

/** Subresource of a VMI by which the virt-handler of its node, and nobody else, gets the key of that state. */
export const STATE_KEY_SUBRESOURCE = 'statekey';

/** What it answers: the key in base64; absent where the installation has none, and states are not encrypted. */
export interface StateKeyAnswer {
  readonly stateKey?: string;
}

/** Identity of the state that the VMI is written to, or else wakes from; undefined when it does neither. */
export function stateIdOf(vmi: VirtualMachineInstance): string | undefined {
  const isWritten = (hibernationVolume(vmi.spec) ?? memorySnapshotVolume(vmi.spec)) !== undefined;
  return isWritten ? vmi.metadata?.uid : hibernatedStateOf(vmi)?.id;
}

/**
 * The launcher of the VMI is about to write or load a state. One that has woken, or booted because there was none,
 * loads it no more.
 */
export function needsStateKey(vmi: VirtualMachineInstance): boolean {
  const id = stateIdOf(vmi);
  if (id === undefined || id === vmi.metadata?.uid) return id !== undefined;
  return !['Woken', 'Booted'].includes(vmi.status?.hibernation?.phase ?? '');
}
