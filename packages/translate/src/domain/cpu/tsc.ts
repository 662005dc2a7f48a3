/** When a guest needs to be told the frequency of its time stamp counter. */
import type { VirtualMachineInstance } from '@podvisor/api';

/**
 * Frequency in Hz to pin, or undefined. Needed by guests that were promised an invariant TSC (feature `invtsc`) or
 * Hyper-V re-enlightenment, once the scheduler has put the frequency into the topology hints.
 */
export function manualTscFrequency(vmi: VirtualMachineInstance): number | undefined {
  return tscFrequencyMatters(vmi) ? vmi.status?.topologyHints?.tscFrequency : undefined;
}

/** The guest cannot run, or cannot be moved, without a fixed TSC frequency. */
export function tscFrequencyMatters(vmi: VirtualMachineInstance): boolean {
  const { cpu, features } = vmi.spec.domain;
  const invariant = cpu?.features?.some(
    ({ name, policy }) => name === 'invtsc' && (policy === 'require' || policy === 'force'),
  );
  const reenlightenment = features?.hyperv?.reenlightenment;
  return invariant === true || (reenlightenment !== undefined && reenlightenment.enabled !== false);
}
