/** Disks whose claims have grown beyond what the guest sees. Pure. */
import type { SyncOptions } from '@podvisor/api';
import type { ParamRecord } from '@podvisor/libvirt';

const MIB = 1024 * 1024;

/** `block.<n>.name` and `block.<n>.capacity` of libvirt's statistics, by target name. */
export function diskSizes(stats: ParamRecord): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (let index = 0; index < Number(stats['block.count'] ?? 0); index++) {
    const name = stats[`block.${index}.name`];
    const capacity = stats[`block.${index}.capacity`];
    if (typeof name === 'string' && capacity !== undefined) sizes.set(name, Number(capacity));
  }
  return sizes;
}

/** New sizes in whole MiB, by target name. */
export function grownDisks(
  diskTargets: Readonly<Record<string, string>>,
  sizes: ReadonlyMap<string, number>,
  volumes: SyncOptions['volumes'] = {},
): readonly { readonly target: string; readonly sizeBytes: number }[] {
  return Object.entries(volumes).flatMap(([volume, { capacityBytes }]) => {
    const target = diskTargets[volume];
    const now = target === undefined ? undefined : sizes.get(target);
    if (target === undefined || now === undefined || capacityBytes === undefined) return [];
    const sizeBytes = Math.floor(capacityBytes / MIB) * MIB;
    return sizeBytes > now ? [{ target, sizeBytes }] : [];
  });
}
