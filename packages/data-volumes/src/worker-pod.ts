/**
 * The Pod that fills a claim. It reads bytes of strangers: it runs as the user of launchers, without
 * capabilities, service account or host access, and within a memory limit. Pure.
 */
import {
  annotations,
  IMPORT_JOB_VARIABLE,
  importPaths,
  type PersistentVolumeClaim,
  type Pod,
  type PodVolume,
  UPLOAD_PORT,
  type VolumeMount,
} from '@podvisor/api';
import { jobOf, type PodFill } from './fill.ts';
import { labels, type WorkerKind, workerName } from './names.ts';

const QEMU_ID = 107;
const CLAIM_VOLUME = 'cdi-data-vol';
const CONTAINER: Readonly<Record<WorkerKind, string>> = {
  import: 'importer',
  upload: 'cdi-upload-server',
  bind: 'binder',
};
/** Streams, hashes and qemu-img need little; a hostile image must not get more. */
const RESOURCES = { requests: { cpu: '100m', memory: '60M' }, limits: { memory: '600M' } };

/** The image that holds the importer, and when nodes pull it. Pods of tenants pull it: it needs no secret. */
export interface WorkerImage {
  readonly image: string;
  readonly pullPolicy: 'Always' | 'IfNotPresent' | 'Never';
  /** They ask for a user namespace (`hostUsers: false`); absent: the node decides. */
  readonly userNamespace?: boolean;
}

export function workerPod(claim: PersistentVolumeClaim, fill: PodFill, worker: WorkerImage): Pod {
  const { namespace, name = '', uid = '' } = claim.metadata;
  const isBlock = claim.spec.volumeMode === 'Block';
  const extra = extraVolumes(fill);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace,
      name: workerName(fill.kind, name),
      labels: {
        [labels.app]: labels.appValue,
        [labels.component]: CONTAINER[fill.kind],
      },
      annotations: {
        'cdi.kubevirt.io/storage.createdByController': 'yes',
        ...(fill.kind === 'upload' ? { [annotations.uploadPort]: String(UPLOAD_PORT) } : {}),
      },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          name,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      restartPolicy: 'OnFailure',
      ...(worker.userNamespace === true ? { hostUsers: false } : {}),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 5,
      securityContext: {
        runAsUser: QEMU_ID,
        runAsGroup: QEMU_ID,
        fsGroup: QEMU_ID,
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(fill.image?.pullSecret === undefined
        ? {}
        : { imagePullSecrets: [{ name: fill.image.pullSecret }] }),
      containers: [
        {
          name: CONTAINER[fill.kind],
          image: worker.image,
          imagePullPolicy: worker.pullPolicy,
          command: ['/usr/lib/podvisor/importer'],
          env: [{ name: IMPORT_JOB_VARIABLE, value: JSON.stringify(jobOf(fill, claim)) }],
          resources: RESOURCES,
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          ...(isBlock ? { volumeDevices: [{ name: CLAIM_VOLUME, devicePath: importPaths.device }] } : {}),
          volumeMounts: [
            ...(isBlock ? [] : [{ name: CLAIM_VOLUME, mountPath: importPaths.data }]),
            ...extra.map(({ mount }) => mount),
          ],
        },
      ],
      volumes: [
        { name: CLAIM_VOLUME, persistentVolumeClaim: { claimName: name } },
        ...extra.map(({ volume }) => volume),
      ],
    },
  };
}

interface Extra {
  readonly volume: PodVolume;
  readonly mount: VolumeMount;
}

function extraVolumes(fill: PodFill): readonly Extra[] {
  const extra: Extra[] = [];
  const add = (volume: PodVolume, mountPath: string, readOnly = true): void => {
    extra.push({ volume, mount: { name: volume.name, mountPath, readOnly } });
  };
  add({ name: 'scratch', emptyDir: {} }, importPaths.scratch, false);
  if (fill.image !== undefined)
    add({ name: 'image', image: { reference: fill.image.reference } }, importPaths.image);
  if (fill.secretRef !== undefined)
    add({ name: 'auth', secret: { secretName: fill.secretRef } }, importPaths.secret);
  for (const [i, secretName] of (fill.secretExtraHeaders ?? []).entries())
    add({ name: `headers-${i}`, secret: { secretName } }, `${importPaths.headers}/${i}`);
  if (fill.certConfigMap !== undefined)
    add({ name: 'certificates', configMap: { name: fill.certConfigMap } }, importPaths.certificates);
  return extra;
}
