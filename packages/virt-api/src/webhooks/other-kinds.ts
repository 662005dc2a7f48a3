/**
 * Validators of kinds beside VM, VMI and migration: the rules of @podvisor/api. Kinds that no controller acts
 * on yet are accepted, as the API promises, with a warning that `kubectl` prints: better a word now than an
 * object that waits for ever in silence.
 */
import {
  type Admission,
  admissionOf,
  type KubeVirt,
  type MigrationPolicy,
  type Plugin,
  validateBackupCreate,
  validateBackupTrackerCreate,
  validateClone,
  validateExport,
  validateInstancetype,
  validateKubeVirtCreate,
  validateKubeVirtDelete,
  validateKubeVirtUpdate,
  validateMigrationPolicy,
  validatePlugin,
  validatePool,
  validatePreference,
  validatePreset,
  validateReplicaSet,
  validateRestore,
  validateSnapshot,
  validateVmStatus,
  type VirtualMachine,
  type VirtualMachineBackup,
  type VirtualMachineClone,
  type VirtualMachineExport,
  type VirtualMachineInstancePreset,
  type VirtualMachineInstancetype,
  type VirtualMachineInstanceReplicaSet,
  type VirtualMachinePool,
  type VirtualMachinePreference,
  type VirtualMachineRestore,
  type VirtualMachineSnapshot,
} from '@podvisor/api';
import { isOwnComponent, type Webhook, type WebhookContext } from './context.ts';
import { pluggedVmi } from './plugged-vmi.ts';
import type { AdmissionAnswer, AdmissionRequest } from './review.ts';

type Check<T> = (
  object: T,
  context: WebhookContext,
  old: T | undefined,
  request: AdmissionRequest,
) => Admission | Promise<Admission>;

// The API server has checked every object against the schema of its kind before it asks.
function webhook<T>(check: Check<T>): Webhook {
  return async (request, context): Promise<AdmissionAnswer> => ({
    kind: 'validated',
    ...(await check(request.object as T, context, request.oldObject as T | undefined, request)),
  });
}

/** As `check` says; what is accepted at creation is accepted with a warning. */
function notActedOn<T>(kind: string, check: Check<T>): Webhook {
  const warning = `${kind} objects are stored, but nothing acts on them yet in this version.`;
  return webhook<T>(async (object, context, old, request) => {
    const admission = await check(object, context, old, request);
    const warns = admission.allowed && request.operation === 'CREATE';
    return warns ? { ...admission, warnings: [...admission.warnings, warning] } : admission;
  });
}

const ALLOWED = admissionOf([]);
const NO_RESTORE = {
  snapshot: undefined,
  hasContent: false,
  snapshotVm: undefined,
  target: undefined,
  restores: [],
};

export const validateReplicaSets = webhook<VirtualMachineInstanceReplicaSet>((object, { config }, old) =>
  validateReplicaSet(object, config, old),
);
export const validatePools = webhook<VirtualMachinePool>((object, { config, namespace }, old, { user }) =>
  validatePool(object, config, old, isOwnComponent(user, namespace)),
);
export const validateSnapshots = webhook<VirtualMachineSnapshot>((object, { config }, old) =>
  validateSnapshot(object, config, old),
);
export const validateRestores = webhook<VirtualMachineRestore>(
  async (restore, context, old, { namespace }) => {
    if (old !== undefined) return validateRestore(restore, { config: context.config, ...NO_RESTORE }, old);
    const { target, virtualMachineSnapshotName } = restore.spec;
    const [snapshot, vm, restores] = await Promise.all([
      context.findSnapshot(namespace, virtualMachineSnapshotName),
      context.findVm(namespace, target.name),
      context.restores(namespace),
    ]);
    const contentName = snapshot?.status?.virtualMachineSnapshotContentName;
    const content =
      contentName === undefined ? undefined : await context.findSnapshotContent(namespace, contentName);
    const snapshotVm = content?.spec.source.virtualMachine;
    return validateRestore(restore, {
      config: context.config,
      snapshot,
      hasContent: content !== undefined,
      snapshotVm,
      target: vm,
      restores,
    });
  },
);
export const validateExports = webhook<VirtualMachineExport>((object, { config }, old) =>
  validateExport(object, config, old),
);
export const validateClones = webhook<VirtualMachineClone>((object, { config }, old) =>
  validateClone(object, config, old === undefined ? 'CREATE' : 'UPDATE'),
);
export const validateBackups = webhook<VirtualMachineBackup>(
  async (object, { config, backups }, old, { namespace }) =>
    old === undefined ? validateBackupCreate(object, config, await backups(namespace)) : ALLOWED,
);
export const validateBackupTrackers = webhook((_object, { config }, old) =>
  old === undefined ? validateBackupTrackerCreate(config) : ALLOWED,
);
export const validatePlugins = notActedOn<Plugin>('Plugin', async (object, { config }, old) => {
  // Few clusters have plugins: CEL is loaded when the first one comes.
  const { expressionProblem } = await import('./plugin-expressions.ts');
  return validatePlugin(object, { config, celProblem: expressionProblem }, old === undefined);
});
export const validateNewKubeVirt = webhook<KubeVirt>(async (object, { kubeVirts }) => {
  const second = validateKubeVirtCreate(await kubeVirts());
  return second.allowed ? validateKubeVirtUpdate(object, { ...object, spec: {} }) : second;
});
export const validateChangedKubeVirt = webhook<KubeVirt>((object, _context, old) =>
  validateKubeVirtUpdate(object, old ?? { ...object, spec: {} }),
);
export const validateKubeVirtDeletion = webhook<KubeVirt>(async (_object, { anyWorkload }, old) =>
  old === undefined ? ALLOWED : validateKubeVirtDelete(old, await anyWorkload()),
);
export const validateMigrationPolicies = webhook<MigrationPolicy>((object, { config }, old) =>
  validateMigrationPolicy(object, config, old),
);
export const validatePresets = webhook<VirtualMachineInstancePreset>((object, { config }) =>
  validatePreset(object, config),
);
export const validateInstancetypes = webhook<VirtualMachineInstancetype>((object) =>
  validateInstancetype(object.spec),
);
export const validatePreferences = webhook<VirtualMachinePreference>((object) =>
  validatePreference(object.spec),
);

/** Beyond its schema, only the status of a VM has rules: of requests to plug volumes, and of what is under way. */
export const validateStatus: Webhook = async (request, context) => {
  const object = request.object as VirtualMachine | undefined;
  if (object?.kind !== 'VirtualMachine') return { kind: 'validated', ...ALLOWED };
  const vmi = await pluggedVmi(object, request, context);
  const old = request.oldObject as VirtualMachine | undefined;
  return { kind: 'validated', ...validateVmStatus(object, { config: context.config, vmi }, old) };
};
