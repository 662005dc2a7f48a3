/** start, stop, restart and migrate of a VirtualMachine. Pure. */
import type { StateChangeRequest } from '@podvisor/api';
import { booleanOption, integerOption, isDryRun, optionsOf, stringMapOption } from './body.ts';
import {
  badRequest,
  conflict,
  type Decider,
  optionalAsTold,
  type PatchCall,
  required,
  VM_KIND,
  VMI_KIND,
} from './decision.ts';
import {
  gracePeriodPatch,
  hasTrueCondition,
  isFinal,
  isRunning,
  queueProblem,
  requestPatch,
  runningPatch,
  runStrategyOf,
} from './vm-state.ts';

const NOT_RUNNING = 'VM is not running';
/** Strategies under which a request can stop a VM that runs. */
const STOPPABLE = ['Halted', 'Manual', 'RerunOnFailure'];
const RECOVERY_REQUIRED =
  'VM recovery required: Volume migration failed, leaving some volumes pointing to non-consistent targets; manual intervention is needed to reassign them to their original volumes.';

export const startVm: Decider = ({ name, body }, state) => {
  const vm = required(state.vm, VM_KIND, name);
  const vmi = optionalAsTold(state.vmi);
  const refuse = (cause: string) => conflict(VM_KIND, name, cause);
  const phase = vmi?.status?.phase ?? '';
  if (vmi !== undefined && !isFinal(vmi) && phase !== '' && phase !== 'Unknown')
    throw refuse('VM is already running');
  if (hasTrueCondition(vm, 'ManualRecoveryRequired')) throw refuse(RECOVERY_REQUIRED);
  const options = optionsOf(body);
  const dryRun = isDryRun(options);
  const discardState = booleanOption(options, 'discardState');
  const data = {
    ...(booleanOption(options, 'paused') === true ? { paused: 'true' } : {}),
    ...(discardState === true ? { discardState: 'true' } : {}),
  };
  const start: StateChangeRequest = { action: 'Start', ...(Object.keys(data).length > 0 ? { data } : {}) };
  const accept = (patch: PatchCall) => ({ kind: 'patch', code: 202, patches: [patch], dryRun }) as const;
  const strategy = runStrategyOf(vm);
  if (discardState === true && vm.status?.hibernation?.phase !== 'Hibernated')
    throw refuse('VM is not hibernated: there is no state to discard');
  // Whatever its strategy says, a hibernated VM stays off until it is started by name.
  if (vm.status?.hibernation?.phase === 'Hibernated' && strategy !== 'Halted')
    return accept(requestPatch(vm, [start]));
  switch (strategy) {
    case 'Halted':
      return accept(start.data === undefined ? runningPatch(vm, true) : requestPatch(vm, [start]));
    case 'Manual':
    case 'RerunOnFailure': {
      if (strategy === 'RerunOnFailure' && phase === 'Failed') {
        throw refuse(`${strategy} does not support starting VM from failed state`);
      }
      const lingering = vmi !== undefined && isFinal(vmi);
      const requests = lingering ? [{ action: 'Stop', uid: vmi.metadata?.uid }, start] : [start];
      return accept(requestPatch(vm, requests));
    }
    case 'Always':
    case 'Once':
      throw refuse(`${strategy} does not support manual start requests`);
    default:
      // A VM that waits for a migration is started by it.
      return { kind: 'patch', code: 202, patches: [], dryRun };
  }
};

export const stopVm: Decider = ({ name, body }, state) => {
  const options = optionsOf(body);
  const dryRun = isDryRun(options);
  const gracePeriod = integerOption(options, 'gracePeriod');
  const vm = required(state.vm, VM_KIND, name);
  const strategy = runStrategyOf(vm);
  const vmi = optionalAsTold(state.vmi);
  const running = vmi !== undefined && !isFinal(vmi) ? vmi : undefined;
  const shorten =
    running !== undefined && gracePeriod !== undefined ? [gracePeriodPatch(running, gracePeriod)] : [];
  const accept = (...patches: readonly PatchCall[]) =>
    ({ kind: 'patch', code: 202, patches: [...shorten, ...patches], dryRun }) as const;
  if (strategy === 'Always' || strategy === 'Once') return accept(runningPatch(vm, false));
  // A VM that waits for a migration has nothing that could be stopped.
  if (!STOPPABLE.includes(strategy)) return accept();
  if (running === undefined) throw conflict(VM_KIND, name, NOT_RUNNING);
  const old = running.spec.terminationGracePeriodSeconds;
  if (strategy === 'Halted' && (gracePeriod === undefined || (old !== undefined && gracePeriod >= old))) {
    const cause = `${strategy} only supports manual stop requests with a shorter graceperiod`;
    // The guest gets the longer time all the same: that is how clients know it.
    return { ...accept(), refusal: conflict(VM_KIND, name, cause) };
  }
  return accept(requestPatch(vm, [{ action: 'Stop', uid: running.metadata?.uid }]));
};

/** A forced restart gives the guest one second, the shortest time that is still a shutdown. */
const FORCED_GRACE_SECONDS = 1;

export const restartVm: Decider = ({ name, body }, state) => {
  const options = optionsOf(body);
  const dryRun = isDryRun(options);
  const gracePeriod = integerOption(options, 'gracePeriodSeconds');
  if (gracePeriod !== undefined && gracePeriod > 0)
    throw badRequest('For force restart, only gracePeriod=0 is supported for now');
  if (gracePeriod !== undefined && gracePeriod < 0)
    throw badRequest('gracePeriod has to be greater or equal to 0');
  const vm = required(state.vm, VM_KIND, name);
  const refuse = (cause: string) => conflict(VM_KIND, name, cause);
  if (hasTrueCondition(vm, 'VolumesChange')) throw refuse(RECOVERY_REQUIRED);
  const strategy = runStrategyOf(vm);
  if (strategy === 'Halted' || strategy === 'Once') {
    throw refuse(`RunStategy ${strategy} does not support manual restart requests`);
  }
  const vmi = optionalAsTold(state.vmi);
  if (vmi === undefined) throw refuse(`${NOT_RUNNING}: Halted`);
  const force = gracePeriod === 0 ? [gracePeriodPatch(vmi, FORCED_GRACE_SECONDS)] : [];
  const accepted = { kind: 'patch', code: 202, dryRun } as const;
  const refusal = queueProblem(vm);
  // Who forces a guest that is stopping already has it stop sooner.
  if (refusal !== undefined && force.length > 0) return { ...accepted, patches: force, refusal };
  const requests = requestPatch(vm, [{ action: 'Stop', uid: vmi.metadata?.uid }, { action: 'Start' }]);
  return { ...accepted, patches: [...force, requests] };
};

export const migrateVm: Decider = ({ name, body }, state) => {
  const options = optionsOf(body);
  const dryRun = isDryRun(options);
  const addedNodeSelector = stringMapOption(options, 'addedNodeSelector');
  required(state.vm, VM_KIND, name);
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw conflict(VM_KIND, name, NOT_RUNNING);
  return { kind: 'migrate', vmiName: name, addedNodeSelector, dryRun };
};
