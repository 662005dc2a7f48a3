/**
 * What a claim or a volume needs next. Pure. Data is removed only with proof that the claim which owned it
 * is gone; a claim is not let go while a Pod uses it.
 */
import {
  defaultClass,
  LOCAL_PROVISIONER,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
  matchesSelector,
} from '@podvisor/api';
import { type Amount, parseQuantity } from '@podvisor/base';
import { type Filling, originOf, type OriginView } from './origin.ts';
import { PROVISIONED_BY } from './provisioned-by.ts';

export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection';

export type ClaimAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'release-protection' }
  | { readonly kind: 'set-class'; readonly className: string }
  | { readonly kind: 'bind'; readonly volume: PersistentVolume }
  | { readonly kind: 'provision'; readonly storageClass: StorageClass }
  /** The claim asks for more than it has, and its class allows that. */
  | { readonly kind: 'expand'; readonly volume: PersistentVolume }
  | { readonly kind: 'lost'; readonly volumeName: string }
  | { readonly kind: 'wait'; readonly reason: string; readonly message: string };

export type ClaimPlan =
  | Exclude<ClaimAction, { kind: 'provision' }>
  | { readonly kind: 'provision'; readonly storageClass: StorageClass; readonly filling: Filling };

export interface ClaimObservation extends ClaimContext {
  readonly claim: PersistentVolumeClaim;
  /** Where its content may come from. */
  readonly view: OriginView;
}

/** As `decideClaim`, and what a new volume is filled with; it waits while that is not there. */
export function planClaim({ claim, view, ...context }: ClaimObservation): ClaimPlan {
  const action = decideClaim(claim, context);
  if (action.kind !== 'provision') return action;
  const origin = originOf(claim, view);
  return origin.kind === 'wait' ? origin : { ...action, filling: origin };
}

export interface ClaimContext {
  /** The one that the claim names, or else all that are reserved for it or free in its class. */
  readonly volumes: readonly PersistentVolume[];
  readonly classes: readonly StorageClass[];
  /** Pods that name the claim and have not finished. */
  readonly users: readonly Pod[];
}

export function decideClaim(
  claim: PersistentVolumeClaim,
  { volumes, classes, users }: ClaimContext,
): ClaimAction {
  if (claim.metadata.deletionTimestamp !== undefined) {
    const held = claim.metadata.finalizers?.includes(CLAIM_PROTECTION) === true;
    return held && users.length === 0 ? { kind: 'release-protection' } : { kind: 'none' };
  }
  const { volumeName, storageClassName } = claim.spec;
  if (volumeName !== undefined && volumeName !== '')
    return bindNamed(
      claim,
      volumes.find(({ metadata }) => metadata.name === volumeName),
      classes,
    );
  if (storageClassName === undefined) {
    const byDefault = defaultClass(classes);
    if (byDefault !== undefined) return { kind: 'set-class', className: byDefault.metadata?.name ?? '' };
  }
  const match = matchingVolume(claim, volumes);
  if (match !== undefined) return { kind: 'bind', volume: match };
  return provisionFor(claim, classes, users);
}

function bindNamed(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume | undefined,
  classes: readonly StorageClass[],
): ClaimAction {
  if (volume === undefined) {
    if (claim.status?.phase === 'Bound') return { kind: 'lost', volumeName: claim.spec.volumeName ?? '' };
    return {
      kind: 'wait',
      reason: 'FailedBinding',
      message: `volume "${claim.spec.volumeName}" does not exist`,
    };
  }
  const reference = volume.spec.claimRef;
  if (reference !== undefined && !refersTo(reference, claim)) {
    return {
      kind: 'wait',
      reason: 'FailedBinding',
      message: `volume "${volume.metadata.name}" already bound to a different claim.`,
    };
  }
  // A name alone gets no volume of another class, mode or size.
  const mismatch =
    reference === undefined && claim.status?.phase !== 'Bound' ? mismatchOf(volume, claim) : undefined;
  if (mismatch !== undefined) {
    return {
      kind: 'wait',
      reason: 'VolumeMismatch',
      message: `Cannot bind to requested volume "${volume.metadata.name}": ${mismatch}`,
    };
  }
  const done =
    claim.status?.phase === 'Bound' &&
    volume.status?.phase === 'Bound' &&
    reference?.['uid'] === claim.metadata.uid;
  if (!done) return { kind: 'bind', volume };
  return wantsMore(claim, volume, classes) ? { kind: 'expand', volume } : { kind: 'none' };
}

/** Also true while an expansion that began is not told to the end. */
function wantsMore(
  { spec, status }: PersistentVolumeClaim,
  volume: PersistentVolume,
  classes: readonly StorageClass[],
): boolean {
  if (volume.metadata.annotations?.[PROVISIONED_BY] !== LOCAL_PROVISIONER) return false;
  const allowed = classes.find(({ metadata }) => metadata?.name === spec.storageClassName);
  if (allowed?.allowVolumeExpansion !== true) return false;
  const asked = parseQuantity(spec.resources?.requests?.['storage'] ?? 0);
  return asked.compare(parseQuantity(status?.capacity?.['storage'] ?? 0)) > 0;
}

function provisionFor(
  claim: PersistentVolumeClaim,
  classes: readonly StorageClass[],
  users: readonly Pod[],
): ClaimAction {
  const name = claim.spec.storageClassName ?? '';
  if (name === '') {
    return {
      kind: 'wait',
      reason: 'FailedBinding',
      message: 'no persistent volumes available for this claim and no storage class is set',
    };
  }
  const storageClass = classes.find(({ metadata }) => metadata?.name === name);
  if (storageClass === undefined) {
    return {
      kind: 'wait',
      reason: 'ProvisioningFailed',
      message: `storageclass.storage.k8s.io "${name}" not found`,
    };
  }
  if (storageClass.provisioner !== LOCAL_PROVISIONER) {
    const message = `Waiting for a volume to be created either by the external provisioner '${storageClass.provisioner}' or manually by the system administrator.`;
    return { kind: 'wait', reason: 'ExternalProvisioning', message };
  }
  if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && users.length === 0) {
    return {
      kind: 'wait',
      reason: 'WaitForFirstConsumer',
      message: 'waiting for first consumer to be created before binding',
    };
  }
  return { kind: 'provision', storageClass };
}

/** The smallest free volume that does; one that was reserved for the claim comes first. */
function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  const reserved = volumes.find(({ spec }) => spec.claimRef !== undefined && refersTo(spec.claimRef, claim));
  if (reserved !== undefined) return reserved;
  return volumes
    .filter(
      (volume) =>
        volume.spec.claimRef === undefined &&
        mismatchOf(volume, claim) === undefined &&
        (claim.spec.selector === undefined || matchesSelector(claim.spec.selector, volume.metadata.labels)),
    )
    .toSorted((a, b) => sizeOf(a).compare(sizeOf(b)))[0];
}

function sizeOf({ spec }: PersistentVolume): Amount {
  return parseQuantity(spec.capacity?.['storage'] ?? 0);
}

/** Why a free volume cannot be the claim's, in Kubernetes' words; undefined: it can. */
function mismatchOf(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const { spec, metadata } = volume;
  if (metadata.deletionTimestamp !== undefined) return 'the volume is marked for deletion';
  if (sizeOf(volume).compare(parseQuantity(claim.spec.resources?.requests?.['storage'] ?? 0)) < 0)
    return 'requested PV is too small';
  if ((spec.storageClassName ?? '') !== (claim.spec.storageClassName ?? ''))
    return 'storageClassName does not match';
  if ((spec.volumeMode ?? 'Filesystem') !== (claim.spec.volumeMode ?? 'Filesystem'))
    return 'incompatible volumeMode';
  const missing = claim.spec.accessModes?.some((mode) => spec.accessModes?.includes(mode) !== true);
  return missing === true ? 'incompatible accessMode' : undefined;
}

type ClaimReference = NonNullable<PersistentVolume['spec']['claimRef']>;

function refersTo(reference: ClaimReference, { metadata }: PersistentVolumeClaim): boolean {
  if (reference['namespace'] !== metadata.namespace || reference['name'] !== metadata.name) return false;
  return reference['uid'] === undefined || reference['uid'] === metadata.uid;
}

/** Pods that may write to the claim of this name. */
export function writersOf(name: string, pods: readonly Pod[]): Pod[] {
  return pods.filter(
    ({ spec, status }) =>
      status?.phase !== 'Succeeded' &&
      status?.phase !== 'Failed' &&
      spec.volumes?.some(
        ({ persistentVolumeClaim }) =>
          persistentVolumeClaim?.claimName === name && persistentVolumeClaim.readOnly !== true,
      ) === true,
  );
}

export type VolumeAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'set-phase'; readonly phase: 'Available' | 'Released' }
  /** The claim may be gone: ask the server. */
  | { readonly kind: 'check-claim' }
  | { readonly kind: 'delete-data' }
  | { readonly kind: 'release-protection' };

/** What is known about the claim that a volume is bound to. */
export type ClaimPresence = 'present' | 'unknown' | 'absent';

export interface VolumeObservation {
  readonly volume: PersistentVolume;
  readonly claim: ClaimPresence;
}

export function planVolume({ volume, claim }: VolumeObservation): VolumeAction {
  const bound = volume.spec.claimRef?.['uid'] !== undefined;
  if (bound && claim === 'present') return { kind: 'none' };
  if (bound && claim === 'unknown') return { kind: 'check-claim' };
  const ours = volume.metadata.annotations?.[PROVISIONED_BY] === LOCAL_PROVISIONER;
  if (bound && ours && volume.spec.persistentVolumeReclaimPolicy === 'Delete') {
    // First say so: a volume that is Released is never bound again, whatever happens to us now.
    return volume.status?.phase === 'Released'
      ? { kind: 'delete-data' }
      : { kind: 'set-phase', phase: 'Released' };
  }
  if (volume.metadata.deletionTimestamp !== undefined) {
    return volume.metadata.finalizers?.includes(VOLUME_PROTECTION) === true
      ? { kind: 'release-protection' }
      : { kind: 'none' };
  }
  const phase = bound ? 'Released' : 'Available';
  return volume.status?.phase === phase ? { kind: 'none' } : { kind: 'set-phase', phase };
}
