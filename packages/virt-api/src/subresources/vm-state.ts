/** Questions about stored VMs and VMIs, and the patches that lifecycle verbs make. Pure. */
import {
  isFinalVmiPhase,
  isOwnedBy,
  ownerKinds,
  type StateChangeRequest,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import type { StatusError } from '@podvisor/base';
import { type JsonPatchOperation, stillHas } from '@podvisor/kube';
import {
  badRequest,
  conflict,
  internalError,
  type PatchCall,
  required,
  type StoredState,
  VM_KIND,
  VMI_KIND,
} from './decision.ts';

export function runStrategyOf({ spec }: VirtualMachine): string {
  if (spec.runStrategy !== undefined && spec.running !== undefined)
    throw internalError('running and runstrategy are mutually exclusive');
  return spec.runStrategy ?? (spec.running === true ? 'Always' : 'Halted');
}

export function isFinal(vmi: VirtualMachineInstance): boolean {
  return isFinalVmiPhase(vmi.status?.phase);
}

export function isRunning(vmi: VirtualMachineInstance): boolean {
  return vmi.status?.phase === 'Running';
}

/** A guest that runs or is just being started has a launcher that can be asked. */
export function requireLauncher(vmi: VirtualMachineInstance): void {
  const phase = vmi.status?.phase ?? '';
  if (phase !== 'Running' && phase !== 'Scheduled') throw badRequest(noLauncher(phase));
}

/** Why nobody can be asked about a guest in this phase. */
export function noLauncher(phase: string): string {
  return `Unable to connect to VirtualMachineInstance because phase is ${phase} instead of Running or Scheduled`;
}

/** The VMI that runs a VM: one that the VM made, not one that only has its name. */
export function vmiOfVm(state: StoredState, name: string): VirtualMachineInstance {
  const vm = required(state.vm, VM_KIND, name);
  if (vm.status?.created !== true) throw conflict(VM_KIND, name, 'VMI is not started');
  const vmi = required(state.vmi, VMI_KIND, name);
  if (isOwnedBy(vmi, vm, ownerKinds.vm)) return vmi;
  throw internalError(`unable to retrieve vmi [${name}] for vm: <nil>`);
}

/** A condition that is there, whatever it says: some are removed when they do not hold. */
export function hasCondition({ status }: VirtualMachineInstance, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type) ?? false;
}

export function hasTrueCondition(
  object: {
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  },
  type: string,
): boolean {
  return object.status?.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;
}

/** Turns the VM on or off in its spec, in whichever of the two fields it uses. */
export function runningPatch(vm: VirtualMachine, on: boolean): PatchCall {
  const { runStrategy, running } = vm.spec;
  const patch: readonly JsonPatchOperation[] =
    runStrategy === undefined
      ? [stillHas('/spec/running', running), { op: 'replace', path: '/spec/running', value: on }]
      : [
          stillHas('/spec/runStrategy', runStrategy),
          { op: 'replace', path: '/spec/runStrategy', value: on ? 'Always' : 'Halted' },
        ];
  return { target: 'virtualmachine', patch, failure: { kind: 'conflict' } };
}

/**
 * Leaves requests for the VM controller. A lone Stop replaces whatever is queued; anything else must wait
 * until the queue is empty.
 */
export function requestPatch(vm: VirtualMachine, requests: readonly StateChangeRequest[]): PatchCall {
  const queued = vm.status?.stateChangeRequests ?? [];
  const replacesQueue = requests.length === 1 && requests[0]?.action === 'Stop';
  const problem = replacesQueue ? undefined : queueProblem(vm);
  if (problem !== undefined) throw problem;
  if (vm.status === undefined || Object.keys(vm.status).length === 0) {
    const value = { stateChangeRequests: requests };
    return {
      target: 'virtualmachine/status',
      patch: [{ op: 'add', path: '/status', value }],
      failure: { kind: 'conflict' },
    };
  }
  const path = '/status/stateChangeRequests';
  return {
    target: 'virtualmachine/status',
    patch: [
      stillHas(path, vm.status.stateChangeRequests),
      { op: queued.length > 0 ? 'replace' : 'add', path, value: requests },
      ...(vm.status.startFailure === undefined
        ? []
        : [{ op: 'remove', path: '/status/startFailure' } as const]),
    ],
    failure: { kind: 'conflict' },
  };
}

/** Why nothing but a Stop can be asked of a VM now. */
export function queueProblem({ status }: VirtualMachine): StatusError | undefined {
  if ((status?.stateChangeRequests ?? []).length === 0) return undefined;
  return internalError('unable to complete request: stop/start already underway');
}

/** Changes how long the guest may take to shut down. */
export function gracePeriodPatch(vmi: VirtualMachineInstance, seconds: number): PatchCall {
  const path = '/spec/terminationGracePeriodSeconds';
  const old = vmi.spec.terminationGracePeriodSeconds ?? null;
  return {
    target: 'virtualmachineinstance',
    patch: [stillHas(path, old), { op: 'replace', path, value: seconds }],
    failure: { kind: 'internal' },
    rollback: [stillHas(path, seconds), { op: 'replace', path, value: old }],
  };
}
