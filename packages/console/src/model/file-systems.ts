/** The file systems of a guest, as its agent tells them: the words of a guest, which may say anything. Pure. */
import { bytesText } from './units.ts';
import { disksText } from '../texts/disks.ts';

/** An item of the subresource `filesystemlist`. */
export interface FileSystem {
  readonly mountPoint?: string;
  readonly fileSystemType?: string;
  readonly usedBytes?: number;
  readonly totalBytes?: number;
  readonly disk?: readonly { readonly serial?: string; readonly busType?: string }[];
}

export interface FileSystemRow {
  readonly place: string;
  readonly kind: string;
  readonly disks: string;
  /** From 0 to 1. */
  readonly used: number;
  readonly words: string;
}

/** Those that have a size, by where they are; each place once. */
export function fileSystemRows(items: readonly FileSystem[]): readonly FileSystemRow[] {
  const rows = items
    .filter(({ totalBytes = 0 }) => totalBytes > 0)
    .map(({ mountPoint = '', fileSystemType = '', usedBytes = 0, totalBytes = 1, disk = [] }) => {
      const used = Math.min(1, Math.max(0, usedBytes / totalBytes));
      return {
        place: mountPoint,
        kind: fileSystemType,
        disks: disk.map(({ serial, busType }) => serial ?? busType ?? '').join(' '),
        used,
        words: disksText.usedWords(bytesText(usedBytes), bytesText(totalBytes), Math.round(used * 100)),
      };
    });
  return [...new Map(rows.map((row) => [row.place, row])).values()].toSorted((a, b) =>
    a.place < b.place ? -1 : 1,
  );
}
