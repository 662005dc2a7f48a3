/**
 * The definition of a domain whose disks are on other claims on the target: an image may become a device there, or a
 * device an image. Pure. QEMU copies only between disks of one size, and a device has the size that it has, so the
 * guest gets the first part of it; an image is made to measure.
 */

/** Where a disk is on the target. */
export interface DiskPlace {
  readonly volume: string;
  readonly path: string;
  readonly block: boolean;
  /** Size of the disk. */
  readonly bytes: number;
}

const DISK = /<disk\b[^>]*>[\s\S]*?<\/disk>/g;
const ALIAS = /<alias name=(['"])ua-([^'"]+)\1\s*\/>/;
const SOURCE = /<source\b(?:[^>]*\/>|[^>]*>[\s\S]*?<\/source>)/;
const TYPE = /^(<disk\b[^>]*?\stype=)(['"])(?:file|block)\2/;
const DATA_STORE = /<dataStore\b/;

/** The XML with these disks in their new places. Throws when one of them is not there, or not a plain one. */
export function redirectDisks(xml: string, places: readonly DiskPlace[]): string {
  const left = new Map(places.map((place) => [place.volume, place]));
  const changed = xml.replaceAll(DISK, (disk) => {
    const place = left.get(ALIAS.exec(disk)?.[2] ?? '');
    if (place === undefined) return disk;
    if (DATA_STORE.test(disk))
      throw new Error(`the changed blocks of volume ${place.volume} are tracked: it cannot move`);
    left.delete(place.volume);
    return disk
      .replace(
        TYPE,
        (_all, head: string, quote: string) => `${head}${quote}${place.block ? 'block' : 'file'}${quote}`,
      )
      .replace(SOURCE, () => sourceOf(place));
  });
  if (left.size > 0) throw new Error(`the domain has no disk for ${[...left.keys()].join(', ')}`);
  return changed;
}

function sourceOf({ path, block, bytes }: DiskPlace): string {
  if (!block) return `<source file='${path}'/>`;
  return `<source dev='${path}'><slices><slice type='storage' offset='0' size='${bytes}'/></slices></source>`;
}
