/** Which function serves which path. Every path of the registry in @podvisor/api has a row here. */
import type { Webhook } from './context.ts';
import { validateEviction } from './eviction.ts';
import * as mutators from './mutators.ts';
import { allow, notActedOn } from './not-acted-on.ts';
import * as validators from './validators.ts';

export const webhookTable: ReadonlyMap<string, Webhook> = new Map<string, Webhook>([
  ['/virtualmachines-mutate', mutators.mutateVm],
  ['/virtualmachineinstances-mutate', mutators.mutateVmi],
  ['/migration-mutate-create', mutators.mutateMigration],
  ['/vm-clone-mutate-create', mutators.mutateClone],
  ['/virtualmachineinstances-validate-create', validators.validateNewVmi],
  ['/virtualmachineinstances-validate-update', validators.validateChangedVmi],
  ['/virtualmachines-validate', validators.validateVm],
  ['/migration-validate-create', validators.validateNewMigration],
  ['/migration-validate-update', validators.validateChangedMigration],
  ['/launcher-eviction-validate', validateEviction],
  // The API server checks the status against its schema; there is no rule beyond that.
  ['/status-validate', allow],
  ['/virt-launcher-pod-mutate', allow],
  ['/vmipreset-validate', allow],
  ['/virtualmachinereplicaset-validate', notActedOn('VirtualMachineInstanceReplicaSet')],
  ['/virtualmachinepool-validate', notActedOn('VirtualMachinePool')],
  ['/virtualmachinesnapshots-validate', notActedOn('VirtualMachineSnapshot')],
  ['/virtualmachinerestores-validate', notActedOn('VirtualMachineRestore')],
  ['/virtualmachineexports-validate', notActedOn('VirtualMachineExport')],
  ['/virtualmachineinstancetypes-validate', notActedOn('VirtualMachineInstancetype')],
  ['/virtualmachineclusterinstancetypes-validate', notActedOn('VirtualMachineClusterInstancetype')],
  ['/virtualmachinepreferences-validate', notActedOn('VirtualMachinePreference')],
  ['/virtualmachineclusterpreferences-validate', notActedOn('VirtualMachineClusterPreference')],
  ['/migration-policy-validate-create', notActedOn('MigrationPolicy')],
  ['/vm-clone-validate-create', notActedOn('VirtualMachineClone')],
  ['/virtualmachinebackups-validate', notActedOn('VirtualMachineBackup')],
]);
