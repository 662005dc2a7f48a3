/**
 * The images that a guest runs from, by digest, so that a migration brings it to the very same ones: a tag may mean
 * another image by then, and an overlay on another disk is a broken file system. Pure.
 */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';

const KERNEL_BOOT_VOLUME = 'kernel-boot-volume';

/** Volume → `NAME@sha256:…`, as far as containers of the source Pod tell; an image that was only loaded has no digest. */
export function sourceImages(
  { spec }: VirtualMachineInstance,
  pod: Pod | undefined,
): Readonly<Record<string, string>> {
  const kernel = spec.domain.firmware?.kernelBoot?.container;
  const images = [
    ...(spec.volumes ?? []).map(({ name, containerDisk }) => [name, containerDisk?.image] as const),
    [KERNEL_BOOT_VOLUME, kernel?.image] as const,
  ];
  return Object.fromEntries(
    images.flatMap(([volume, image]) => {
      const status = pod?.status?.containerStatuses?.find(({ name }) => name === `volume${volume}`);
      const digest = /@(sha256:[0-9a-f]{64})$/.exec(status?.imageID ?? '')?.[1];
      return image === undefined || digest === undefined ? [] : [[volume, `${nameOf(image)}@${digest}`]];
    }),
  );
}

/** Without tag and digest; a colon before the last slash is that of a port. */
function nameOf(image: string): string {
  return image
    .split('@', 1)
    .join()
    .replace(/:[^/:]*$/, '');
}
