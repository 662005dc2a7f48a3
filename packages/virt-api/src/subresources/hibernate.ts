/** hibernate of a VirtualMachine: leaves a request for the VM controller. Pure. */
import { memorySnapshotVolume } from '@podvisor/api';
import { isDryRun, optionsOf } from './body.ts';
import { conflict, type Decider, required, VM_KIND } from './decision.ts';
import { isRunning, requestPatch, vmiOfVm } from './vm-state.ts';

export const hibernateVm: Decider = ({ name, body }, state) => {
  const vm = required(state.vm, VM_KIND, name);
  const refuse = (cause: string) => conflict(VM_KIND, name, cause);
  if (vm.status?.hibernation?.phase === 'Hibernated') throw refuse('VM is hibernated already');
  if (vm.status?.hibernation?.phase === 'Saving') throw refuse('VM is being hibernated already');
  const vmi = vmiOfVm(state, name);
  if (!isRunning(vmi)) throw refuse('VM is not running');
  if (vmi.spec.domain.devices.disableHotplug === true)
    throw refuse('the claim for its memory cannot be plugged in: spec.domain.devices.disableHotplug is set');
  if (memorySnapshotVolume(vmi.spec) !== undefined) throw refuse('a snapshot of its memory is being taken');
  const { migrationState } = vmi.status ?? {};
  if (migrationState !== undefined && migrationState.completed !== true && migrationState.failed !== true)
    throw refuse('VM is being migrated');
  const request = requestPatch(vm, [{ action: 'Hibernate', uid: vmi.metadata?.uid }]);
  return { kind: 'patch', code: 202, patches: [request], dryRun: isDryRun(optionsOf(body)) };
};
