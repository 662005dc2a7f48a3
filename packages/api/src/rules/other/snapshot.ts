/** Rules of snapshots and restores. */
import { deepEqual, strip, goDurationProblem } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import type {
  TypedLocalObjectReference,
  VirtualMachine,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
  VMISpec,
} from '../../types/index.ts';
import { sameSpec } from '../../same-meaning.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { type Cause, invalid, notFound, required, when } from '../rule.ts';

const RESTORE_POLICIES = ['InPlace', 'RandomizeNames', 'PrefixTargetName'];
const OWNERSHIP_POLICIES = ['Vm', 'None'];

/** Whether a snapshot may be created (`old` undefined) or changed. */
export function validateSnapshot(
  snapshot: VirtualMachineSnapshot,
  config: ClusterConfig,
  old?: VirtualMachineSnapshot,
): Admission {
  if (old) return admissionOf(immutable('VirtualMachineSnapshot', snapshot.spec, old.spec));
  if (!isGateEnabled(config, 'Snapshot')) return refusal('snapshot feature gate not enabled', 400);
  const unreadable = goDurationProblem(snapshot.spec.failureDeadline);
  if (unreadable !== undefined) return refusal(unreadable, 400);
  return admissionOf(vmReferenceCauses(snapshot.spec.source, 'spec.source'));
}

export interface RestoreContext {
  readonly config: ClusterConfig;
  /** The snapshot that is restored; undefined when it does not exist. */
  readonly snapshot: VirtualMachineSnapshot | undefined;
  /** The content that the snapshot names exists. */
  readonly hasContent: boolean;
  /** The VM inside that snapshot. */
  readonly snapshotVm: { readonly spec?: VirtualMachine['spec'] } | undefined;
  /** The target VM, when it exists. */
  readonly target: VirtualMachine | undefined;
  /** Restores of the same namespace. */
  readonly restores: readonly VirtualMachineRestore[];
}

/** Whether a restore may be created (`old` undefined) or changed. */
export function validateRestore(
  restore: VirtualMachineRestore,
  context: RestoreContext,
  old?: VirtualMachineRestore,
): Admission {
  if (old) return admissionOf(immutable('VirtualMachineRestore', restore.spec, old.spec));
  if (!isGateEnabled(context.config, 'Snapshot'))
    return refusal('Snapshot/Restore feature gate not enabled', 400);
  const { target } = restore.spec;
  const reference = vmReferenceCauses(target, 'spec.target');
  const unreadable =
    reference.length === 0 ? (nameProblem(restore, context) ?? snapshotProblem(context)) : undefined;
  if (unreadable !== undefined) return refusal(unreadable, 400);
  const active = context.restores.filter(
    (other) => deepEqual(other.spec.target, target) && !other.status?.complete,
  );
  return admissionOf([
    ...reference,
    ...(reference.length === 0 ? specCauses(restore, context) : []),
    ...active.map((other) =>
      invalid(
        'spec.target',
        `VirtualMachineRestore ${JSON.stringify(other.metadata?.name ?? '')} in progress`,
      ),
    ),
  ]);
}

function specCauses({ spec }: VirtualMachineRestore, context: RestoreContext): readonly Cause[] {
  const { volumeOwnershipPolicy: ownership, volumeRestorePolicy: policy } = spec;
  const template = context.snapshotVm?.spec?.template.spec;
  return [
    ...(spec.patches ?? []).flatMap(patchCauses),
    ...when(isOfAnother(context) && template && needsBackendStorage(template), () =>
      invalid(
        'spec',
        'Restore to a different VM is not supported when snapshotted VM has backend storage (persistent TPM or EFI)',
      ),
    ),
    ...(spec.volumeRestoreOverrides ?? []).flatMap(
      ({ annotations, labels, restoreName, volumeName }, index) => {
        const field = `spec.volumeRestoreOverrides[${index}]`;
        return [
          ...when(!volumeName, () => required(`${field}.volumeName`, 'must provide a volume name')),
          ...when(!restoreName && !annotations && !labels, () =>
            required(field, 'must provide at least one overriden field'),
          ),
        ];
      },
    ),
    ...when(policy !== undefined && !RESTORE_POLICIES.includes(policy), () =>
      invalid('spec.volumeRestorePolicy', `volume restore policy "${policy}" doesn't exist`),
    ),
    ...when(ownership !== undefined && !OWNERSHIP_POLICIES.includes(ownership), () =>
      invalid('spec.volumeOwnershipPolicy', `volume ownership policy "${ownership}" doesn't exist`),
    ),
  ];
}

/** True when a snapshot becomes another VM than the one that it was made of. */
function isOfAnother({ snapshot, target }: RestoreContext): boolean {
  if (!snapshot) return false;
  const sourceUid = snapshot.status?.sourceUID;
  return !target || (sourceUid !== undefined && target.metadata?.uid !== sourceUid);
}

/** Nothing can be looked up by an empty name; the target is looked up when the snapshot is there. */
function nameProblem({ spec }: VirtualMachineRestore, { snapshot }: RestoreContext): string | undefined {
  const isNameless = !spec.virtualMachineSnapshotName || (snapshot !== undefined && !spec.target.name);
  return isNameless ? 'resource name may not be empty' : undefined;
}

/** Why the VM inside the snapshot cannot be read, where it has to be. */
function snapshotProblem(context: RestoreContext): string | undefined {
  if (!isOfAnother(context)) return undefined;
  const name = context.snapshot?.status?.virtualMachineSnapshotContentName;
  if (name === undefined) return 'snapshot content name is nil in vmSnapshot status';
  if (!context.hasContent)
    return `virtualmachinesnapshotcontents.snapshot.kubevirt.io ${JSON.stringify(name)} not found`;
  return context.snapshotVm === undefined ? 'unexpected snapshot source' : undefined;
}

/** A patch is one JSON object of plain pairs, and only reaches the spec, labels and annotations. */
function patchCauses(patch: string): readonly Cause[] {
  const field = 'spec.patches';
  return strip(patch, '{}')
    .split(',')
    .flatMap((pair) => {
      const [key = '', value = '', ...rest] = pair.split(':').map((part) => part.trim());
      if (!pair.includes(':') || rest.length > 0)
        return [
          invalid(
            field,
            `patch format is not valid - one ":" expected in a single key-value json patch: ${pair}`,
          ),
        ];
      const isAllowed = ['"/spec/', '"/metadata/labels/', '"/metadata/annotations/'].some((prefix) =>
        value.startsWith(prefix),
      );
      return when(key === '"path"' && !isAllowed, () =>
        invalid(field, `patching is valid only for elements under /spec/ only: ${pair}`),
      );
    });
}

/** Persistent TPM or EFI variables live in a volume of their own. */
export function needsBackendStorage({ domain }: VMISpec): boolean {
  return domain.devices.tpm?.persistent === true || domain.firmware?.bootloader?.efi?.persistent === true;
}

function vmReferenceCauses({ apiGroup, kind }: TypedLocalObjectReference, field: string): readonly Cause[] {
  if (apiGroup === undefined) return [notFound(`${field}.apiGroup`, 'missing apiGroup')];
  if (apiGroup !== 'kubevirt.io') return [invalid(`${field}.apiGroup`, 'invalid apiGroup')];
  return when(kind !== 'VirtualMachine', () => invalid(`${field}.kind`, 'invalid kind'));
}

/** The sentence of every kind whose spec is fixed. */
export function immutable(kind: string, spec: unknown, old: unknown): readonly Cause[] {
  return when(!sameSpec(kind, spec, old), () => invalid('spec', 'spec in immutable after creation'));
}
