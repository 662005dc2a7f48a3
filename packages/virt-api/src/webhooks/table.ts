/** Which function serves which path. Every path of the registry in @podvisor/api has a row here. */
import { type ClosedKind, closedValueRefusal } from '@podvisor/api';
import type { Webhook } from './context.ts';
import { mutateDataVolume, validateDataVolume } from './data-volumes.ts';
import { validateEviction } from './eviction.ts';
import { validatePods } from './pods.ts';
import * as mutators from './mutators.ts';
import * as other from './other-kinds.ts';
import * as validators from './validators.ts';

/** Before its rules: values that Kubernetes does not know are refused in the words of a schema. */
function known(kind: ClosedKind, webhook: Webhook): Webhook {
  return (request, context) => {
    const refusal = closedValueRefusal(kind, request.object);
    return refusal === undefined ? webhook(request, context) : { kind: 'validated', ...refusal };
  };
}

export const webhookTable: ReadonlyMap<string, Webhook> = new Map<string, Webhook>([
  ['/virtualmachines-mutate', known('VirtualMachine', mutators.mutateVm)],
  ['/virtualmachineinstances-mutate', known('VirtualMachineInstance', mutators.mutateVmi)],
  ['/migration-mutate-create', mutators.mutateMigration],
  ['/vm-clone-mutate-create', mutators.mutateClone],
  ['/virtualmachineinstances-validate-create', known('VirtualMachineInstance', validators.validateNewVmi)],
  ['/virtualmachineinstances-validate-update', validators.validateChangedVmi],
  ['/virtualmachines-validate', known('VirtualMachine', validators.validateVm)],
  ['/migration-validate-create', validators.validateNewMigration],
  ['/migration-validate-update', validators.validateChangedMigration],
  ['/launcher-eviction-validate', validateEviction],
  ['/pods-validate', validatePods],
  ['/status-validate', other.validateStatus],
  ['/vmipreset-validate', known('VirtualMachineInstancePreset', other.validatePresets)],
  [
    '/virtualmachinereplicaset-validate',
    known('VirtualMachineInstanceReplicaSet', other.validateReplicaSets),
  ],
  ['/virtualmachinepool-validate', other.validatePools],
  ['/virtualmachinesnapshots-validate', other.validateSnapshots],
  ['/virtualmachinerestores-validate', other.validateRestores],
  ['/virtualmachineexports-validate', other.validateExports],
  ['/virtualmachineinstancetypes-validate', other.validateInstancetypes],
  ['/virtualmachineclusterinstancetypes-validate', other.validateInstancetypes],
  ['/virtualmachinepreferences-validate', other.validatePreferences],
  ['/virtualmachineclusterpreferences-validate', other.validatePreferences],
  ['/migration-policy-validate-create', other.validateMigrationPolicies],
  ['/vm-clone-validate-create', other.validateClones],
  ['/virtualmachinebackups-validate', other.validateBackups],
  ['/virtualmachinebackuptrackers-validate', other.validateBackupTrackers],
  ['/plugins-validate', other.validatePlugins],
  ['/datavolumes-mutate', mutateDataVolume],
  ['/datavolumes-validate', validateDataVolume],
  ['/kubevirt-validate-create', known('KubeVirt', other.validateNewKubeVirt)],
  ['/kubevirt-validate-update', known('KubeVirt', other.validateChangedKubeVirt)],
  ['/kubevirt-validate-delete', other.validateKubeVirtDeletion],
]);
