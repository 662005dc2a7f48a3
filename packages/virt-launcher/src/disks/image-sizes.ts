/** Images that the launcher makes of Secrets, ConfigMaps and the like: their sizes, which a migration must keep. */
import { statSync, truncateSync } from 'node:fs';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { Domain } from '@podvisor/translate';
import { madeImages } from '../domain/domain-facts.ts';

/** Bytes of each such image, by volume; undefined when the domain has none. */
export function imageBytes(domain: Domain): Readonly<Record<string, number>> | undefined {
  const sizes = [...madeImages(domain)].flatMap(([volume, path]) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [[volume, stats.size] as const];
  });
  return sizes.length === 0 ? undefined : Object.fromEntries(sizes);
}

/**
 * Gives the images of a migration's target the sizes that the guest knows. What they are made of may have changed
 * since its start; a disk's contents come from the source, which copies only to a disk of the same size.
 */
export function fitImages(domain: Domain, { status }: VirtualMachineInstance): void {
  const discs = new Set(
    (domain.devices?.disks ?? [])
      .filter(({ device }) => device === 'cdrom')
      .map(({ source }) => source?.file),
  );
  for (const [volume, path] of madeImages(domain)) {
    const size = status?.volumeStatus?.find(({ name }) => name === volume)?.size;
    // A disc is not copied: the target has its own.
    if (size === undefined || discs.has(path) || statSync(path).size === size) continue;
    truncateSync(path, size);
  }
}
