/** The claim of a DataVolume. Pure. */
import {
  type ClaimPropertySet,
  type ClaimSource,
  type DataVolume,
  type DataVolumeImportSource,
  defaultClass,
  LOCAL_PROVISIONER,
  type PersistentVolumeClaim,
  type StorageClass,
  type VolumeSnapshot,
} from '@podvisor/api';
import { annotations, INSTANCETYPE_PREFIX, labels } from './names.ts';

export interface ClaimView {
  readonly classes: readonly StorageClass[];
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  snapshot(namespace: string, name: string): VolumeSnapshot | undefined;
  /** What the storage profile of a class offers, best first. */
  properties(className: string): readonly ClaimPropertySet[];
  /** Labels of the DataSource that is named. */
  readonly sourceLabels: Readonly<Record<string, string>>;
}

export type ClaimResult =
  | {
      readonly kind: 'claim';
      readonly claim: PersistentVolumeClaim;
      /** The class whose access modes nobody has told. */
      readonly undescribedClass?: string;
    }
  | { readonly kind: 'invalid'; readonly message: string };

/** Every class that makes volumes can do this; an import that waits for somebody to describe the class helps nobody. */
const ASSUMED_MODES = ['ReadWriteOnce'] as const;

export function claimFor(volume: DataVolume, source: DataVolumeImportSource, view: ClaimView): ClaimResult {
  const { metadata, spec } = volume;
  if (spec.pvc === undefined && spec.storage === undefined)
    return { kind: 'invalid', message: 'the DataVolume has neither spec.pvc nor spec.storage' };
  const asked = spec.pvc ?? spec.storage ?? {};
  const className = asked.storageClassName ?? defaultClass(view.classes)?.metadata?.name;
  const offered = spec.pvc === undefined && className !== undefined ? view.properties(className) : [];
  // A clone is what its source is, unless told otherwise.
  const mode = asked.volumeMode ?? (spec.pvc === undefined ? modeOfSource(volume, source, view) : undefined);
  const [best] = offered.filter((set) => mode === undefined || set.volumeMode === mode);
  const told = asked.accessModes ?? best?.accessModes ?? [];
  const isUndescribed = told.length === 0;
  const problem = isUndescribed ? cannotAssume(volume, className, view) : undefined;
  if (problem !== undefined) return { kind: 'invalid', message: problem };
  const accessModes = isUndescribed ? ASSUMED_MODES : told;
  const volumeMode = mode ?? best?.volumeMode ?? 'Filesystem';
  const storage = asked.resources?.requests?.['storage'] ?? sizeOfSource(volume, source, view);
  if (storage === undefined)
    return { kind: 'invalid', message: 'PVC Spec is not valid - missing storage size' };
  const copied = copiedBy(volume, source, className, view);
  if (copied.kind === 'invalid') return copied;
  const { dataSource = copied.dataSource, dataSourceRef, selector, volumeName } = asked;
  return {
    kind: 'claim',
    ...(isUndescribed ? { undescribedClass: className } : {}),
    claim: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        namespace: metadata.namespace,
        name: metadata.name,
        labels: {
          ...inherited(volume, source, view),
          ...metadata.labels,
          [labels.app]: labels.appValue,
        },
        annotations: {
          ...withoutLastApplied(metadata.annotations),
          [annotations.contentType]: spec.contentType ?? 'kubevirt',
        },
        ownerReferences: [
          {
            apiVersion: 'cdi.kubevirt.io/v1beta1',
            kind: 'DataVolume',
            name: metadata.name ?? '',
            uid: metadata.uid ?? '',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        accessModes,
        volumeMode: volumeMode === 'Block' ? 'Block' : 'Filesystem',
        resources: { ...asked.resources, requests: { ...asked.resources?.requests, storage } },
        ...(asked.storageClassName === undefined ? {} : { storageClassName: asked.storageClassName }),
        ...(selector === undefined ? {} : { selector }),
        ...(volumeName === undefined ? {} : { volumeName }),
        ...(dataSource === undefined ? {} : { dataSource }),
        ...(dataSourceRef === undefined ? {} : { dataSourceRef }),
      },
    },
  };
}

/** Why no access mode can be chosen for a claim that names none. */
function cannotAssume(
  { spec }: DataVolume,
  className: string | undefined,
  { classes }: ClaimView,
): string | undefined {
  if (spec.pvc !== undefined) return 'PVC spec is missing accessMode: name one in spec.pvc.accessModes';
  if (className === undefined)
    return 'DataVolume spec is missing accessMode and no storageClass to choose profile: name one in spec.storage.accessModes, or make a storage class the default';
  const isThere = classes.some(({ metadata }) => metadata?.name === className);
  return isThere
    ? undefined
    : `storage class ${className} does not exist: make it, or name another in spec.storage.storageClassName`;
}

/**
 * What a class of others copies by itself: it is told by the claim, and only within a namespace. The embedded home's
 * own provisioner asks the DataVolume, which was checked when it was created.
 */
function copiedBy(
  { metadata }: DataVolume,
  { pvc, snapshot }: DataVolumeImportSource,
  className: string | undefined,
  { classes }: ClaimView,
):
  | { readonly kind: 'source'; readonly dataSource?: ClaimSource }
  | Extract<ClaimResult, { kind: 'invalid' }> {
  const named = pvc ?? snapshot;
  const isLocal = classes.some(
    (one) => one.metadata?.name === className && one.provisioner === LOCAL_PROVISIONER,
  );
  if (named === undefined || isLocal) return { kind: 'source' };
  const { namespace } = metadata;
  if (named.namespace !== undefined && named.namespace !== '' && named.namespace !== namespace)
    return {
      kind: 'invalid',
      message: `storage class ${className ?? ''} copies within a namespace only: ${named.namespace}/${named.name} cannot be cloned to ${namespace}; install CDI for that`,
    };
  return {
    kind: 'source',
    dataSource:
      pvc === undefined
        ? { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: named.name }
        : { kind: 'PersistentVolumeClaim', name: named.name },
  };
}

function modeOfSource(
  { metadata }: DataVolume,
  { pvc }: DataVolumeImportSource,
  view: ClaimView,
): string | undefined {
  if (pvc === undefined) return undefined;
  return view.claim(pvc.namespace || (metadata.namespace ?? ''), pvc.name)?.spec.volumeMode;
}

/** A clone may leave its size to the source. */
function sizeOfSource(
  { metadata }: DataVolume,
  { pvc, snapshot }: DataVolumeImportSource,
  view: ClaimView,
): string | number | undefined {
  const own = metadata.namespace ?? '';
  if (pvc !== undefined) {
    const claim = view.claim(pvc.namespace || own, pvc.name);
    return claim?.status?.capacity?.['storage'] ?? claim?.spec.resources?.requests?.['storage'];
  }
  if (snapshot === undefined) return undefined;
  return view.snapshot(snapshot.namespace || own, snapshot.name)?.status?.restoreSize;
}

function inherited(
  { metadata }: DataVolume,
  { pvc }: DataVolumeImportSource,
  view: ClaimView,
): Readonly<Record<string, string>> {
  const claim =
    pvc === undefined ? undefined : view.claim(pvc.namespace || (metadata.namespace ?? ''), pvc.name);
  const all = { ...claim?.metadata.labels, ...view.sourceLabels };
  return Object.fromEntries(Object.entries(all).filter(([key]) => key.startsWith(INSTANCETYPE_PREFIX)));
}

function withoutLastApplied(
  given: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...rest } = given ?? {};
  return rest;
}
