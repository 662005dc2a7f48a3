/** The start of a VM: what is made for it, and what makes it impossible. Pure. */
import { type VirtualMachine, vmFailureReasons, type VMHibernation } from '@podvisor/api';
import { guardedChange, type JsonPatchOperation } from '@podvisor/kube';
import { needsRecovery, recoveryMessage } from '../../volume-migration/status.ts';
import { buildVmi } from '../build-vmi.ts';
import type { SyncProblem } from '../conditions.ts';
import { wakingVmi } from '../hibernation.ts';
import type { VmAction, VmObservation } from '../plan.ts';
import { buildStartRevision } from '../revision.ts';
import { trackingAtStart } from '../volumes/changed-block-tracking.ts';
import { planDataVolumes } from '../volumes/data-volumes.ts';
import { runStrategyOf } from './run-strategy.ts';

export function startAction(
  { vm, expanded, tracking }: VmObservation,
  hibernation: VMHibernation | undefined,
): VmAction {
  const template = expanded.kind === 'template' ? expanded.template : undefined;
  return {
    kind: 'start',
    vmi: wakingVmi(buildVmi(vm, template, trackingAtStart(vm, tracking)), hibernation),
    revision: buildStartRevision(vm),
    prune: vm.status?.observedGeneration !== undefined,
  };
}

/** What makes a start impossible until somebody changes something. */
export function startProblem(
  { vm, vmi, nameTaken, expanded }: VmObservation,
  storage: ReturnType<typeof planDataVolumes>,
): SyncProblem | undefined {
  const name = vm.metadata?.name;
  if (needsRecovery(vm, vmi))
    return { reason: vmFailureReasons.volumesUpdate, message: recoveryMessage(vm, vmi) };
  if (nameTaken) {
    const message = `A VirtualMachineInstance named ${name} exists and does not belong to this VirtualMachine; delete it or rename one of them.`;
    return { reason: 'FailedCreate', message };
  }
  if (expanded.kind === 'problem') return expanded.problem;
  if (runStrategyOf(vm) === 'WaitAsReceiver') {
    return {
      reason: 'FailedCreate',
      message: 'Migration between clusters is not available yet: nothing can be received.',
    };
  }
  if (vm.spec.template?.spec === undefined) {
    return { reason: 'FailedCreate', message: 'spec.template.spec is missing.' };
  }
  if (storage.kind === 'notServed') {
    const message =
      'The VM has dataVolumeTemplates, but this cluster does not serve DataVolumes (cdi.kubevirt.io/v1beta1): install CDI, or create the claims yourself under the same names.';
    return { reason: 'FailedDataVolumeCreate', message };
  }
  if (storage.kind === 'failed') {
    return { reason: 'FailedDataVolumeImport', message: `DataVolume ${storage.name} failed to import.` };
  }
  return undefined;
}

export function setToRunPatch(vm: VirtualMachine): readonly JsonPatchOperation[] {
  const [path, from, to] =
    vm.spec.runStrategy === undefined
      ? ['/spec/running', vm.spec.running, true]
      : ['/spec/runStrategy', vm.spec.runStrategy, 'Always'];
  return guardedChange(path, from, to);
}
