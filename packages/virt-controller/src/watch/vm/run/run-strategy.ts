/** Which of the six run strategies a VM follows. */
import {
  type RunStrategy,
  runStrategies,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { hasStartRequest, hasStopRequestFor } from './requests.ts';

function isRunStrategy(text: string): text is RunStrategy {
  return (runStrategies as readonly string[]).includes(text);
}

/** `spec.runStrategy`, or what `spec.running` means. A VM without either stays off. */
export function runStrategyOf(vm: VirtualMachine): RunStrategy {
  const { runStrategy, running } = vm.spec;
  if (runStrategy !== undefined && isRunStrategy(runStrategy)) return runStrategy;
  return running === true ? 'Always' : 'Halted';
}

/** True when the VM's user wants a VMI to exist. */
export function isSetToStart(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): boolean {
  switch (runStrategyOf(vm)) {
    case 'Always':
      return true;
    case 'Halted':
    case 'WaitAsReceiver':
      return false;
    case 'Manual':
      return vmi === undefined ? hasStartRequest(vm) : !hasStopRequestFor(vm, vmi);
    case 'RerunOnFailure':
      return vmi === undefined ? mayRerun(vm) : vmi.status?.phase !== 'Succeeded';
    case 'Once':
      return vmi === undefined;
  }
}

/** What ended well stays down until it is asked for, or the strategy is new. */
export function mayRerun(vm: VirtualMachine): boolean {
  return hasStartRequest(vm) || vm.status?.runStrategy !== 'RerunOnFailure';
}
