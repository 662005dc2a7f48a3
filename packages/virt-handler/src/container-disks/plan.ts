/**
 * Which files of which images a launcher Pod is to be shown, where its nodes have no image volumes. The Pod says so
 * itself: virt-controller gave it a container for each image. Pure.
 */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';

/** A file of an image, and where the launcher expects it below the Pod's volume `container-disks`. */
export interface ShownFile {
  /** Path in the image; absent: the one file in /disk. */
  readonly path?: string;
  readonly directory?: string;
  readonly name: string;
}

export interface PlannedImage {
  /** The VMI's volume, or the name that stands for the kernel. */
  readonly volume: string;
  /** The container's socket in `container-disks`. */
  readonly socket: string;
  /** A disk is looked at before a guest gets it. */
  readonly isDisk: boolean;
  readonly files: readonly ShownFile[];
}

const KERNEL_BOOT = 'kernel-boot';
const KERNEL_BOOT_VOLUME = 'kernel-boot-volume';

export function plannedImages({ spec }: VirtualMachineInstance, pod: Pod): readonly PlannedImage[] {
  const containers = new Set(pod.spec.containers.map(({ name }) => name));
  return [
    ...(spec.volumes ?? []).flatMap(({ name, containerDisk }, index): PlannedImage[] =>
      containerDisk === undefined
        ? []
        : [
            {
              volume: name,
              socket: `disk_${index}.sock`,
              isDisk: true,
              files: [
                { name: `disk_${index}.img`, ...(containerDisk.path ? { path: containerDisk.path } : {}) },
              ],
            },
          ],
    ),
    ...kernelOf(spec),
  ].filter(({ volume }) => containers.has(`volume${volume}`));
}

function kernelOf({ domain }: VirtualMachineInstance['spec']): readonly PlannedImage[] {
  const container = domain.firmware?.kernelBoot?.container;
  if (container === undefined) return [];
  const files = [container.kernelPath, container.initrdPath].flatMap((path): ShownFile[] => {
    const name = path?.slice(path.lastIndexOf('/') + 1) ?? '';
    return path && name !== '' ? [{ path, directory: KERNEL_BOOT, name }] : [];
  });
  return [{ volume: KERNEL_BOOT_VOLUME, socket: `${KERNEL_BOOT}.sock`, isDisk: false, files }];
}
