/** Whether the guest should give free pages back to the host. */
import { annotations, type VirtualMachineInstance } from '@podvisor/api';

/**
 * The value for `ConverterContext.freePageReporting`. Guests that were given dedicated CPUs or pages must not be
 * slowed down by giving pages back, and a VMI may opt out by annotation.
 */
export function reportsFreePages(vmi: VirtualMachineInstance, clusterAllows: boolean): boolean {
  const { cpu, memory } = vmi.spec.domain;
  const highPerformance =
    cpu?.dedicatedCpuPlacement ||
    cpu?.isolateEmulatorThread ||
    cpu?.realtime ||
    cpu?.numa ||
    memory?.hugepages;
  const optedOut = vmi.metadata?.annotations?.[annotations.freePageReportingDisabled] === 'true';
  return clusterAllows && !highPerformance && !optedOut;
}
