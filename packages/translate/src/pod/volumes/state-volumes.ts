/** State that outlives the Pod: TPM, UEFI variables, dirty bitmaps of changed blocks. */
import type { VirtualMachineInstance, VolumeMount } from '@podvisor/api';
import { type Mounted, NOTHING } from './mounted.ts';
import type { LauncherPodOptions } from '../options.ts';
import { mountPaths } from '../mount-paths.ts';
import { isNonRoot } from '../security.ts';

/** Name of the volume that keeps the state. */
export const STATE_VOLUME = 'vm-state';
/** States in which changed blocks are tracked, or about to be. */
const TRACKING: readonly string[] = ['Enabled', 'Initializing', 'PendingRestart'];

/** Directories of libvirt, which depend on whether it runs as root. */
function libvirtPaths(nonRoot: boolean): Record<'swtpm' | 'localCa' | 'nvram' | 'bitmaps', string> {
  const base = nonRoot ? `${mountPaths.privateDir}/libvirt/qemu` : '/var/lib/libvirt';
  return {
    swtpm: `${base}/swtpm`,
    localCa: nonRoot ? `${mountPaths.privateDir}/var/lib/swtpm-localca` : '/var/lib/swtpm-localca',
    nvram: nonRoot ? `${base}/nvram` : `${base}/qemu/nvram`,
    bitmaps: nonRoot ? `${base}/cbt` : `${base}/qemu/cbt`,
  };
}

interface StatePlace {
  readonly path: string;
  /** Name of the directory in the claim. */
  readonly directory: string;
}

/** Where a launcher finds the directories of its VM's state, when there is a claim for it. */
export function statePlaces(vmi: VirtualMachineInstance): readonly StatePlace[] {
  const { devices, firmware } = vmi.spec.domain;
  const paths = libvirtPaths(isNonRoot(vmi));
  const tracks = TRACKING.includes(vmi.status?.changedBlockTracking?.state ?? '');
  return [
    { path: '/run/kubevirt-private/backend-storage-meta', directory: 'meta' },
    ...(devices?.tpm?.persistent
      ? [
          { path: paths.swtpm, directory: 'swtpm' },
          { path: paths.localCa, directory: 'swtpm-localca' },
        ]
      : []),
    ...(firmware?.bootloader?.efi?.persistent ? [{ path: paths.nvram, directory: 'nvram' }] : []),
    ...(tracks ? [{ path: paths.bitmaps, directory: 'cbt' }] : []),
  ];
}

/** The PVC of the VM's state, mounted piece by piece where libvirt looks for it. */
export function stateVolumes(vmi: VirtualMachineInstance, { stateClaim }: LauncherPodOptions): Mounted {
  if (stateClaim === undefined) return NOTHING;
  const nonRoot = isNonRoot(vmi);
  const [meta, ...pieces] = statePlaces(vmi).map(
    ({ path, directory }): VolumeMount => ({ name: STATE_VOLUME, mountPath: path, subPath: directory }),
  );
  return {
    volumes: [
      { name: STATE_VOLUME, persistentVolumeClaim: { claimName: stateClaim } },
      ...(nonRoot ? ['private-libvirt', 'private-libvirt-qemu'].map((name) => ({ name, emptyDir: {} })) : []),
    ],
    mounts: [
      ...(meta === undefined ? [] : [meta]),
      // Kubernetes would make the parents of the mounts below as root's; emptyDirs belong to the launcher's group.
      ...(nonRoot
        ? [
            { name: 'private-libvirt', mountPath: `${mountPaths.privateDir}/libvirt` },
            { name: 'private-libvirt-qemu', mountPath: `${mountPaths.privateDir}/libvirt/qemu` },
          ]
        : []),
      ...pieces,
    ],
  };
}
