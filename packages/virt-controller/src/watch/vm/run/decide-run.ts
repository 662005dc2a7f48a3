/** What a VM's run strategy wants done about its VMI. Pure. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { isDeleting, isFinal } from '../../vmi-phase.ts';
import { hasStartRequest, hasStopRequestFor } from './requests.ts';
import { mayRerun, runStrategyOf } from './run-strategy.ts';
import { backoffLeftMs } from './start-failure.ts';

/** What is to be done about the VMI. */
export type RunDecision =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'start' }
  /** Starting is due, but a failed start is waited out first. */
  | { readonly kind: 'backOff'; readonly ms: number }
  /** `queueStart`: a Start request is left in the status, so that the next VMI follows. */
  | { readonly kind: 'stop'; readonly queueStart: boolean }
  /** A halted VM has a Start request (start --paused): the spec becomes Always. */
  | { readonly kind: 'setToRun' };

const NOTHING: RunDecision = { kind: 'nothing' };
const STOP: RunDecision = { kind: 'stop', queueStart: false };

/** The run strategy's decision. `vmi` is the VM's own VMI, if it exists. */
export function decideRun(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  nowMs: number,
): RunDecision {
  const strategy = runStrategyOf(vm);
  switch (strategy) {
    case 'Always':
      if (vmi === undefined) return startAfterBackoff(vm, nowMs);
      return isFinal(vmi) || hasStopRequestFor(vm, vmi) ? STOP : NOTHING;
    case 'RerunOnFailure':
      return decideRerunOnFailure(vm, vmi, nowMs);
    case 'Manual':
      if (vmi === undefined) return hasStartRequest(vm) ? { kind: 'start' } : NOTHING;
      return hasStopRequestFor(vm, vmi) ? STOP : NOTHING;
    case 'Halted':
      if (vmi !== undefined) return STOP;
      return hasStartRequest(vm) ? { kind: 'setToRun' } : NOTHING;
    case 'Once':
    case 'WaitAsReceiver':
      return vmi === undefined ? { kind: 'start' } : NOTHING;
  }
}

/** Restarts what failed. */
function decideRerunOnFailure(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  nowMs: number,
): RunDecision {
  if (vmi !== undefined) {
    if (isDeleting(vmi) || !(isFinal(vmi) || hasStopRequestFor(vm, vmi))) return NOTHING;
    return { kind: 'stop', queueStart: vmi.status?.phase === 'Failed' };
  }
  return mayRerun(vm) ? startAfterBackoff(vm, nowMs) : NOTHING;
}

function startAfterBackoff(vm: VirtualMachine, nowMs: number): RunDecision {
  const ms = backoffLeftMs(vm, nowMs);
  return ms > 0 ? { kind: 'backOff', ms } : { kind: 'start' };
}
