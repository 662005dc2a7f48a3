/** The Pod in which libguestfs works on a claim. Pure. */
import { at } from '../plain.ts';

export interface GuestfsFlags {
  readonly image?: string;
  readonly pullPolicy: string;
  readonly kvm: boolean;
  readonly root: boolean;
  readonly uid?: string;
  readonly gid?: string;
  readonly fsGroup?: string;
  readonly vm?: string;
}

export const CONTAINER = 'libguestfs';
const IMAGE_NAME = 'libguestfs-tools';
const DISK_DIRECTORY = '/disk';
const DISK_DEVICE = '/dev/vda';
const SCRATCH = '/tmp/guestfs';
const HOME = '/home/guestfs';
const APPLIANCE = '/usr/local/lib/guestfs/appliance';
const CLAIM_VOLUME = 'volume';
const SCRATCH_VOLUME = 'libguestfs-tmp-dir';
const HOME_VOLUME = 'guestfs';
const KVM_DEVICE = 'devices.kubevirt.io/kvm';

/** What the server says about the image of this installation. */
export interface GuestfsInfo {
  readonly registry?: string;
  readonly tag?: string;
  readonly digest?: string;
  readonly imagePrefix?: string;
  readonly gsImage?: string;
}

export function imageOf({ registry, tag, digest, imagePrefix = '', gsImage }: GuestfsInfo): string {
  if (gsImage) return gsImage;
  const version = digest ? `@${digest}` : tag ? `:${tag}` : undefined;
  if (version === undefined)
    throw new Error('Neither the digest nor the tag for the image has been specified');
  const image = `${imagePrefix}${IMAGE_NAME}${version}`;
  return registry ? `${registry}/${image}` : image;
}

export function podName(claim: string): string {
  return `${IMAGE_NAME}-${claim}`;
}

/** Where the claim is seen inside the Pod. */
export function diskPlace(isBlock: boolean): string {
  return isBlock ? DISK_DEVICE : DISK_DIRECTORY;
}

/** Users and groups of the Pod's processes, as the flags ask for. */
export function identityOf({ root, uid, gid, fsGroup }: GuestfsFlags): Readonly<Record<string, unknown>> {
  if (root && uid) throw new Error('cannot set uid if root is true');
  if (gid && !uid) throw new Error('gid requires the uid to be set');
  if (root && gid) throw new Error('cannot set gid id with root');
  if (root && fsGroup) throw new Error('cannot set fsGroup id with root');
  if (root) return { runAsUser: 0, runAsGroup: 0, fsGroup: 0 };
  return {
    ...(uid && { runAsUser: numberOf(uid) }),
    ...(gid && { runAsGroup: numberOf(gid) }),
    ...(fsGroup && { fsGroup: numberOf(fsGroup) }),
  };
}

function numberOf(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new Error(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  return Number(text);
}

/** `vm` is the machine whose place in the cluster the Pod takes, if any. */
export function guestfsPod(
  claim: string,
  image: string,
  isBlock: boolean,
  flags: GuestfsFlags,
  vm?: unknown,
): unknown {
  const inTemplate = (...path: readonly string[]): unknown => at(vm, 'spec', 'template', ...path);
  const scratch = [
    { name: SCRATCH_VOLUME, mountPath: SCRATCH },
    { name: HOME_VOLUME, mountPath: HOME },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podName(claim), labels: inTemplate('metadata', 'labels') },
    spec: {
      restartPolicy: 'Never',
      securityContext: {
        ...identityOf(flags),
        runAsNonRoot: !flags.root,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      volumes: [
        { name: CLAIM_VOLUME, persistentVolumeClaim: { claimName: claim } },
        { name: SCRATCH_VOLUME, emptyDir: {} },
        { name: HOME_VOLUME, emptyDir: {} },
      ],
      containers: [
        {
          name: CONTAINER,
          image,
          imagePullPolicy: flags.pullPolicy,
          command: ['/entrypoint.sh'],
          stdin: true,
          tty: true,
          env: [
            // libguestfs starts QEMU itself; there is no libvirt in the image.
            { name: 'LIBGUESTFS_BACKEND', value: 'direct' },
            { name: 'LIBGUESTFS_PATH', value: APPLIANCE },
            { name: 'LIBGUESTFS_TMPDIR', value: SCRATCH },
            { name: 'HOME', value: HOME },
          ],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: flags.kvm ? { limits: { [KVM_DEVICE]: '1' } } : {},
          ...(isBlock
            ? { volumeMounts: scratch, volumeDevices: [{ name: CLAIM_VOLUME, devicePath: DISK_DEVICE }] }
            : {
                volumeMounts: [...scratch, { name: CLAIM_VOLUME, mountPath: DISK_DIRECTORY }],
                workingDir: DISK_DIRECTORY,
              }),
        },
      ],
      tolerations: inTemplate('spec', 'tolerations'),
      affinity: inTemplate('spec', 'affinity'),
      nodeSelector: inTemplate('spec', 'nodeSelector'),
    },
  };
}

/** True when a Pod of this list has the claim among its volumes. */
export function isClaimInUse(pods: readonly unknown[], claim: string): boolean {
  return pods.some((pod) => {
    const volumes = at(pod, 'spec', 'volumes');
    return (
      Array.isArray(volumes) &&
      volumes.some((volume) => at(volume, 'persistentVolumeClaim', 'claimName') === claim)
    );
  });
}
