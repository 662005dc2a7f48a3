/** Which function serves which path. Every path of the registry in @podvisor/api has a row here. */
import {
  type Admission,
  type ClosedKind,
  closedValueRefusal,
  type DomainKind,
  refusal,
  unreadablePoolRefusal,
  unsignedRefusal,
} from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { Webhook } from './context.ts';
import { mutateDataVolume, validateDataVolume } from './data-volumes.ts';
import { validateEviction } from './eviction.ts';
import { validatePods } from './pods.ts';
import * as mutators from './mutators.ts';
import * as other from './other-kinds.ts';
import * as validators from './validators.ts';

/** The webhook, unless something about the object is refused before its rules. */
function unless(refused: (object: unknown) => Admission | undefined, webhook: Webhook): Webhook {
  return (request, context) => {
    const reason = refused(request.object);
    return reason === undefined ? webhook(request, context) : { kind: 'validated', ...reason };
  };
}

/** Values that Kubernetes does not know are refused in the words of a schema. */
function known(kind: ClosedKind, webhook: Webhook): Webhook {
  return unless((object) => closedValueRefusal(kind, object), webhook);
}

/** So are numbers that cannot be read. */
function readable(kind: ClosedKind & DomainKind, webhook: Webhook): Webhook {
  return unless((object) => closedValueRefusal(kind, object) ?? unsignedRefusal(kind, object), webhook);
}

/** Refused as well when the API does not say what its rules have to know, in the API's words and with KubeVirt's code. */
function informed(webhook: Webhook): Webhook {
  return async (request, context) => {
    try {
      return await webhook(request, context);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { kind: 'validated', ...refusal(error.message, 400) };
    }
  };
}

export const webhookTable: ReadonlyMap<string, Webhook> = new Map<string, Webhook>([
  ['/virtualmachines-mutate', readable('VirtualMachine', mutators.mutateVm)],
  ['/virtualmachineinstances-mutate', readable('VirtualMachineInstance', mutators.mutateVmi)],
  ['/migration-mutate-create', mutators.mutateMigration],
  ['/vm-clone-mutate-create', mutators.mutateClone],
  ['/virtualmachineinstances-validate-create', readable('VirtualMachineInstance', validators.validateNewVmi)],
  ['/virtualmachineinstances-validate-update', validators.validateChangedVmi],
  ['/virtualmachines-validate', readable('VirtualMachine', informed(validators.validateVm))],
  ['/migration-validate-create', informed(validators.validateNewMigration)],
  ['/migration-validate-update', validators.validateChangedMigration],
  ['/launcher-eviction-validate', validateEviction],
  ['/pods-validate', validatePods],
  ['/status-validate', informed(other.validateStatus)],
  ['/vmipreset-validate', readable('VirtualMachineInstancePreset', other.validatePresets)],
  [
    '/virtualmachinereplicaset-validate',
    readable('VirtualMachineInstanceReplicaSet', other.validateReplicaSets),
  ],
  ['/virtualmachinepool-validate', unless(unreadablePoolRefusal, other.validatePools)],
  ['/virtualmachinesnapshots-validate', other.validateSnapshots],
  ['/virtualmachinerestores-validate', informed(other.validateRestores)],
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
