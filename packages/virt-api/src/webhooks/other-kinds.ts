/**
 * Validators of kinds beside VM, VMI and migration: the rules of @podvisor/api. Kinds that no controller acts
 * on yet are accepted, as the API promises, with a warning that `kubectl` prints: better a word now than an
 * object that waits for ever in silence.
 */
import {
  type Admission,
  admissionOf,
  type MigrationPolicy,
  validateBackupCreate,
  validateClone,
  validateExport,
  validateMigrationPolicy,
  validatePool,
  validatePreference,
  validatePreset,
  validateReplicaSet,
  validateSnapshot,
  validateVmStatus,
  type VirtualMachine,
  type VirtualMachineBackup,
  type VirtualMachineClone,
  type VirtualMachineExport,
  type VirtualMachineInstancePreset,
  type VirtualMachineInstanceReplicaSet,
  type VirtualMachinePool,
  type VirtualMachinePreference,
  type VirtualMachineSnapshot,
} from '@podvisor/api';
import type { Webhook, WebhookContext } from './context.ts';
import type { AdmissionAnswer, AdmissionRequest } from './review.ts';

type Check<T> = (
  object: T,
  context: WebhookContext,
  old: T | undefined,
  request: AdmissionRequest,
) => Admission;

// The API server has checked every object against the schema of its kind before it asks.
function webhook<T>(check: Check<T>): Webhook {
  return (request, context): AdmissionAnswer => ({
    kind: 'validated',
    ...check(request.object as T, context, request.oldObject as T | undefined, request),
  });
}

/** As `check` says; what is accepted at creation is accepted with a warning. */
function notActedOn<T>(kind: string, check: Check<T>): Webhook {
  const warning = `${kind} objects are stored, but nothing acts on them yet in this version.`;
  return webhook<T>((object, context, old, request) => {
    const admission = check(object, context, old, request);
    const warns = admission.allowed && request.operation === 'CREATE';
    return warns ? { ...admission, warnings: [...admission.warnings, warning] } : admission;
  });
}

const ALLOWED = admissionOf([]);

/** Allows everything. */
export const allow: Webhook = () => ({ kind: 'validated', ...ALLOWED });

export const validateReplicaSets = notActedOn<VirtualMachineInstanceReplicaSet>(
  'VirtualMachineInstanceReplicaSet',
  (object, { config }) => validateReplicaSet(object, config),
);
export const validatePools = notActedOn<VirtualMachinePool>('VirtualMachinePool', (object, { config }, old) =>
  validatePool(object, config, old),
);
export const validateSnapshots = notActedOn<VirtualMachineSnapshot>(
  'VirtualMachineSnapshot',
  (object, { config }, old) => validateSnapshot(object, config, old),
);
export const validateRestores = notActedOn('VirtualMachineRestore', () => ALLOWED);
export const validateExports = notActedOn<VirtualMachineExport>(
  'VirtualMachineExport',
  (object, { config }, old) => validateExport(object, config, old),
);
export const validateClones = notActedOn<VirtualMachineClone>(
  'VirtualMachineClone',
  (object, { config }, old) => validateClone(object, config, old === undefined ? 'CREATE' : 'UPDATE'),
);
export const validateBackups = notActedOn<VirtualMachineBackup>(
  'VirtualMachineBackup',
  (object, { config }, old) => (old === undefined ? validateBackupCreate(object, config, []) : ALLOWED),
);
export const validateMigrationPolicies = notActedOn<MigrationPolicy>(
  'MigrationPolicy',
  (object, { config }, old) => validateMigrationPolicy(object, config, old),
);
export const validatePresets = webhook<VirtualMachineInstancePreset>((object, { config }) =>
  validatePreset(object, config),
);
export const validatePreferences = webhook<VirtualMachinePreference>((object) =>
  validatePreference(object.spec),
);

/** Beyond its schema, only the status of a VM has a rule: requests to plug volumes. */
export const validateStatus: Webhook = async (request, context) => {
  const object = request.object as VirtualMachine | undefined;
  if (object?.kind !== 'VirtualMachine' || (object.status?.volumeRequests?.length ?? 0) === 0) {
    return { kind: 'validated', ...ALLOWED };
  }
  const vmi = await context.findVmi(request.namespace, request.name);
  return { kind: 'validated', ...validateVmStatus(object, vmi) };
};
