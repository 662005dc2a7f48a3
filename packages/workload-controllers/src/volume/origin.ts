/** What a new volume holds at first: nothing, the content of another claim, or of a snapshot. Pure. */
import {
  type ClaimSource,
  controllerOfKind,
  type DataSource,
  type DataVolume,
  isControlledBy,
  LOCAL_PROVISIONER,
  ownerKinds,
  type PersistentVolume,
  type PersistentVolumeClaim,
  resolveSource,
  saidOwners,
  unresolvedSource,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '@podvisor/api';
import { Amount, parseQuantity } from '@podvisor/base';
import { PROVISIONED_BY } from './provisioned-by.ts';

export type Origin =
  | { readonly kind: 'empty' }
  /** An empty disk image: what a blank DataVolume is. */
  | { readonly kind: 'blank' }
  | { readonly kind: 'claim'; readonly volumeName: string }
  | { readonly kind: 'snapshot'; readonly handle: string }
  | { readonly kind: 'wait'; readonly reason: string; readonly message: string };

/** What a volume is filled with; nothing is waited for any more. */
export type Filling = Exclude<Origin, { readonly kind: 'wait' }>;

/** What the caches know. */
export interface OriginView {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  snapshot(namespace: string, name: string): VolumeSnapshot | undefined;
  snapshotContent(name: string): VolumeSnapshotContent | undefined;
  dataVolume(namespace: string, name: string): DataVolume | undefined;
  dataSource(namespace: string, name: string): DataSource | undefined;
  /** True while a Pod may write to the claim. */
  inUse(namespace: string, name: string): boolean;
}

const wait = (message: string, reason = 'ProvisioningFailed'): Origin => ({ kind: 'wait', reason, message });

export function originOf(claim: PersistentVolumeClaim, view: OriginView): Origin {
  const { namespace = '' } = claim.metadata;
  const owner = controllerOfKind(claim, ownerKinds.dataVolume);
  if (owner !== undefined) return ofDataVolume(claim, owner.name, view);
  const source = claim.spec.dataSourceRef ?? claim.spec.dataSource;
  if (source === undefined) return { kind: 'empty' };
  if ('namespace' in source && source.namespace !== undefined && source.namespace !== namespace)
    return wait(
      `dataSourceRef names an object of namespace ${source.namespace}: claims are filled from their own namespace only; use a DataVolume, which checks that you may read the other one`,
    );
  return ofSource(claim, source, namespace, view);
}

/**
 * The DataVolume is asked, not the claim: whether its creator may read the source was checked when it was
 * created and is noted there (`resolveSource`), and a claim could say anything.
 */
function ofDataVolume(claim: PersistentVolumeClaim, owner: string, view: OriginView): Origin {
  const { namespace = '' } = claim.metadata;
  const volume = view.dataVolume(namespace, owner);
  if (volume === undefined || !isControlledBy(claim, volume, ownerKinds.dataVolume))
    return wait(`waiting for DataVolume ${owner}`, 'ExternalProvisioning');
  const source = resolveSource(volume, (where, name) => view.dataSource(where, name));
  if (source === undefined) return wait(`waiting: ${unresolvedSource(volume)}`, 'ExternalProvisioning');
  const { blank, pvc, snapshot } = source;
  if (blank !== undefined) return { kind: 'blank' };
  if (pvc !== undefined) return ofClaim(claim, pvc.namespace || namespace, pvc.name, view);
  if (snapshot !== undefined) return ofSnapshot(claim, snapshot.namespace || namespace, snapshot.name, view);
  const other = claim.spec.dataSourceRef ?? claim.spec.dataSource;
  return other === undefined ? { kind: 'empty' } : ofSource(claim, other, namespace, view);
}

function ofSource(
  claim: PersistentVolumeClaim,
  { kind, name, apiGroup }: ClaimSource,
  namespace: string,
  view: OriginView,
): Origin {
  const group = apiGroup ?? '';
  if (kind === 'PersistentVolumeClaim' && group === '') return ofClaim(claim, namespace, name, view);
  if (kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
    return ofSnapshot(claim, namespace, name, view);
  return wait(
    `nothing here fills claims from ${kind} (${group || 'core'}): use a PersistentVolumeClaim or a VolumeSnapshot`,
  );
}

function ofClaim(claim: PersistentVolumeClaim, namespace: string, name: string, view: OriginView): Origin {
  const source = view.claim(namespace, name);
  if (source === undefined) return wait(`source claim ${namespace}/${name} does not exist`);
  if (source.metadata.deletionTimestamp !== undefined)
    return wait(`source claim ${namespace}/${name} is being deleted`);
  const volume = view.volume(source.spec.volumeName ?? '');
  if (source.status?.phase !== 'Bound' || volume === undefined)
    return wait(`source claim ${namespace}/${name} is not bound`);
  const { metadata, spec } = volume;
  if (metadata.annotations?.[PROVISIONED_BY] !== LOCAL_PROVISIONER)
    return wait(
      `source claim ${namespace}/${name} lies on volume ${metadata.name}, which ${LOCAL_PROVISIONER} did not make`,
    );
  if (isBeingFilled(source, view))
    return wait(`source claim ${namespace}/${name} is being filled; waiting`, 'CloneSourceInUse');
  // A copy of a disk that somebody writes to would be of no moment in particular.
  if (view.inUse(namespace, name))
    return wait(`source claim ${namespace}/${name} is in use by a Pod; waiting`, 'CloneSourceInUse');
  const needed = parseQuantity(spec.capacity?.['storage'] ?? 0);
  return fits(claim, needed) ?? { kind: 'claim', volumeName: metadata.name ?? '' };
}

/** An import or upload into the claim is not done. */
function isBeingFilled(claim: PersistentVolumeClaim, view: OriginView): boolean {
  const { metadata } = claim;
  const [owner] = saidOwners(claim, ownerKinds.dataVolume);
  const volume = owner === undefined ? undefined : view.dataVolume(metadata.namespace ?? '', owner.name);
  if (volume !== undefined) return volume.status?.phase !== 'Succeeded';
  const awaitsUpload = metadata.annotations?.['cdi.kubevirt.io/storage.upload.target'] !== undefined;
  return awaitsUpload && metadata.annotations?.['cdi.kubevirt.io/storage.pod.phase'] !== 'Succeeded';
}

function ofSnapshot(claim: PersistentVolumeClaim, namespace: string, name: string, view: OriginView): Origin {
  const snapshot = view.snapshot(namespace, name);
  if (snapshot === undefined) return wait(`snapshot ${namespace}/${name} does not exist`);
  if (snapshot.metadata.deletionTimestamp !== undefined)
    return wait(`snapshot ${namespace}/${name} is being deleted`);
  const content = view.snapshotContent(snapshot.status?.boundVolumeSnapshotContentName ?? '');
  if (snapshot.status?.readyToUse !== true || content?.status?.readyToUse !== true)
    return wait(`snapshot ${namespace}/${name} is not ready to use`);
  // A content that somebody wrote by hand may name any snapshot; it must name us back.
  if (content.spec.volumeSnapshotRef.uid !== snapshot.metadata.uid)
    return wait(`snapshot ${namespace}/${name} and content ${content.metadata.name} do not belong together`);
  if (content.spec.driver !== LOCAL_PROVISIONER)
    return wait(
      `snapshot ${namespace}/${name} was taken by ${content.spec.driver}, not by ${LOCAL_PROVISIONER}`,
    );
  const needed = Amount.ofBytes(content.status.restoreSize ?? 0);
  return fits(claim, needed) ?? { kind: 'snapshot', handle: content.status.snapshotHandle ?? '' };
}

function fits(claim: PersistentVolumeClaim, needed: Amount): Origin | undefined {
  const asked = parseQuantity(claim.spec.resources?.requests?.['storage'] ?? 0);
  if (asked.compare(needed) >= 0) return undefined;
  return wait(`requested volume size ${asked} is less than the size ${needed} of the source`);
}
