/**
 * The attachment Pod: it has the claims that are plugged into a running launcher Pod, so that the kubelet brings
 * them to the node and holds them there. virt-handler shows them to the launcher from it. It sleeps.
 */
import type { Container, Pod, SELinuxOptions, Toleration } from '@podvisor/api';
import { helperSecurity, LAUNCHER_USER } from './security.ts';

/** A claim to hold on the node. */
export interface AttachedClaim {
  /** Name of the volume in the VMI. */
  readonly volume: string;
  readonly claimName: string;
  readonly claimUid: string;
  readonly block: boolean;
  /** A file system without an image gets one of this size. */
  readonly capacityBytes?: number;
}

export interface AttachmentPodOptions {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly image: string;
  readonly launcher: { readonly name: string; readonly uid: string };
  readonly nodeName: string;
  readonly claims: readonly AttachedClaim[];
  /** Its guest's: what the container runtime labels for this Pod, the guest must be able to use. */
  readonly seLinuxOptions: SELinuxOptions;
  /** Tolerations of the launcher. */
  readonly tolerations?: readonly Toleration[];
}

/** Where the device of a block claim is inside the attachment Pod. */
export function attachedDevicePath(volume: string, claimUid: string): string {
  return `/path/${volume}/${claimUid}`;
}

/** Where the file system of a claim is inside the attachment Pod. */
export function attachedDirectory(volume: string): string {
  return `/${volume}`;
}

export function renderAttachmentPod(options: AttachmentPodOptions): Pod {
  const { name, namespace, launcher, nodeName, claims, tolerations = [] } = options;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { 'kubevirt.io': 'hotplug-disk' },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          name: launcher.name,
          uid: launcher.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [container(options)],
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      securityContext: {
        runAsUser: LAUNCHER_USER,
        runAsGroup: LAUNCHER_USER,
        runAsNonRoot: true,
        fsGroup: LAUNCHER_USER,
      },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }],
              },
            ],
          },
        },
      },
      // The disks of a guest stay where the guest is, also on a node that is being emptied.
      tolerations: [
        { operator: 'Exists', effect: 'NoSchedule' },
        { operator: 'Exists', effect: 'NoExecute' },
        ...tolerations,
      ],
      volumes: [
        { name: 'hotplug-disks', emptyDir: {} },
        ...claims.map(({ volume, claimName }) => ({ name: volume, persistentVolumeClaim: { claimName } })),
      ],
    },
  };
}

function container({ image, claims, seLinuxOptions }: AttachmentPodOptions): Container {
  const files = claims.filter(({ block }) => !block);
  const devices = claims.filter(({ block }) => block);
  return {
    name: 'hotplug-disk',
    image,
    command: ['/usr/bin/tini', '-s', '--', '/bin/sh', '-c', script(files)],
    resources: { requests: { cpu: '10m', memory: '2M' }, limits: { cpu: '100m', memory: '80M' } },
    // What it says when it fails is told where the volume is looked at.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { ...helperSecurity, seccompProfile: { type: 'RuntimeDefault' }, seLinuxOptions },
    volumeMounts: [
      { name: 'hotplug-disks', mountPath: '/path', mountPropagation: 'HostToContainer' },
      ...files.map(({ volume }) => ({ name: volume, mountPath: attachedDirectory(volume) })),
    ],
    ...(devices.length === 0
      ? {}
      : {
          volumeDevices: devices.map(({ volume, claimUid }) => ({
            name: volume,
            devicePath: attachedDevicePath(volume, claimUid),
          })),
        }),
  };
}

/**
 * An empty file system gets its image here, by a user without rights, and never by root in a tenant's directory:
 * sparse, as large as the claim or what fits, whole MiB, complete or absent.
 */
function script(files: readonly AttachedClaim[]): string {
  const makers = files.flatMap(({ volume, capacityBytes }) =>
    capacityBytes === undefined ? [] : [`image ${attachedDirectory(volume)} ${Math.floor(capacityBytes)}`],
  );
  const closed = `user ${LAUNCHER_USER} may not write into the file system of volume \${1#/}: its directory belongs to %u:%g and has mode %a; make it writable for group ${LAUNCHER_USER} or for all`;
  const image = [
    'image() {',
    '  [ -e "$1/disk.img" ] && return',
    `  [ -w "$1" ] || { stat -c "${closed}" "$1"; exit 1; }`,
    '  free=$(($(stat -f -c "%a * %S" "$1") - 131072))',
    '  [ "$free" -lt "$2" ] || free=$2',
    '  rm -f "$1/.disk.img.new"',
    '  truncate -s $((free / 1048576 * 1048576)) "$1/.disk.img.new" && mv -n "$1/.disk.img.new" "$1/disk.img"',
    '}',
  ];
  return [...(makers.length === 0 ? [] : ['umask 007', ...image, ...makers]), 'exec sleep infinity'].join(
    '\n',
  );
}
