/** What is written when a claim and a volume come together. Pure. */
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
  LOCAL_PROVISIONER,
} from '@podvisor/api';
import { MACHINE_LABEL } from '@podvisor/home-contract';
import { PROVISIONED_BY } from './provisioned-by.ts';
import { CLAIM_PROTECTION, VOLUME_PROTECTION } from './reconcile.ts';

export interface LocalVolume {
  readonly name: string;
  readonly path: string;
  readonly capacity: string;
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  /** The instance that the machine's nodes belong to; nodes that join later too. */
  readonly instance: string;
}

/** A volume of this machine, born for its claim. */
export function localVolume({
  name,
  path,
  capacity,
  claim,
  storageClass,
  instance,
}: LocalVolume): PersistentVolume {
  return {
    metadata: {
      name,
      annotations: { [PROVISIONED_BY]: LOCAL_PROVISIONER },
      finalizers: [VOLUME_PROTECTION],
    },
    spec: {
      capacity: { storage: capacity },
      accessModes: claim.spec.accessModes ?? ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata?.name,
      volumeMode: claim.spec.volumeMode ?? 'Filesystem',
      claimRef: referenceTo(claim),
      local: { path },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: MACHINE_LABEL, operator: 'In', values: [instance] }] },
          ],
        },
      },
    },
  };
}

/** Patch that gives a volume to a claim; guarded by the version, so that no two claims get it. */
export function bindVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): object {
  return {
    metadata: {
      resourceVersion: volume.metadata.resourceVersion,
      annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' },
    },
    spec: { claimRef: referenceTo(claim) },
  };
}

/** Patch of the claim; undefined when it is so already. */
export function bindClaim(claim: PersistentVolumeClaim, volume: PersistentVolume): object | undefined {
  const { finalizers = [], annotations } = claim.metadata;
  const isProtected = finalizers.includes(CLAIM_PROTECTION);
  const bound = claim.spec.volumeName === volume.metadata.name;
  if (bound && isProtected && annotations?.['pv.kubernetes.io/bind-completed'] === 'yes') return undefined;
  return {
    metadata: {
      annotations: {
        'pv.kubernetes.io/bind-completed': 'yes',
        ...(bound ? {} : { 'pv.kubernetes.io/bound-by-controller': 'yes' }),
      },
      ...(isProtected ? {} : { finalizers: [...finalizers, CLAIM_PROTECTION] }),
    },
    ...(bound ? {} : { spec: { volumeName: volume.metadata.name } }),
  };
}

function referenceTo({ metadata }: PersistentVolumeClaim): Record<string, string> {
  const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace,
    name,
    uid,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
