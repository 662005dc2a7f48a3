/**
 * The qcow2 in front of a raw disk whose only content is bitmaps of changed blocks: all data goes to the raw disk
 * itself (`data_file_raw`), which stays usable without it. It lives on the claim of the VM's state, so bitmaps
 * outlive Pods. It names its data file in its header, and QEMU opens what is named there: the header is read by
 * ourselves first, and an overlay that names anything else is thrown away.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { run } from '@podvisor/sys';
import { deviceBytes } from '../disk-image.ts';
import { HEADER_BYTES, parseQcow2Header, type Qcow2Header } from '../image/qcow2-header.ts';
import { breakSeal, type DiskData } from './seal.ts';

/** What became of an overlay: `kept` with its bitmaps, or `made` anew, without any. */
export type OverlayOutcome = 'kept' | 'made';

/** Before QEMU opens the disk. `claim`: what it is on; devices of two claims look the same otherwise. */
export async function ensureTrackingOverlay(
  overlay: string,
  data: DiskData,
  claim = '',
  signal?: AbortSignal,
): Promise<OverlayOutcome> {
  mkdirSync(dirname(overlay), { recursive: true });
  const sizeBytes = data.block ? deviceBytes(data.path) : statSync(data.path).size;
  const isSealed = breakSeal(overlay, data);
  if (isSealed && fits(headerOf(overlay), data, sizeBytes) && claimOf(overlay) === claim) return 'kept';
  rmSync(claimPath(overlay), { force: true });
  await make(overlay, data, sizeBytes, signal);
  writeFileSync(claimPath(overlay), claim, { mode: 0o600, flush: true });
  return 'made';
}

/** When the overlay was made, in milliseconds: its bitmaps know of nothing before. Undefined: nobody knows. */
export function trackedSinceMs(overlay: string): number | undefined {
  return statSync(claimPath(overlay), { throwIfNoEntry: false })?.mtimeMs;
}

/** Written once the overlay is there, and never after: it tells of which claim, and since when. */
function claimPath(overlay: string): string {
  return `${overlay}.claim`;
}

function claimOf(overlay: string): string | undefined {
  return existsSync(claimPath(overlay)) ? readFileSync(claimPath(overlay), 'utf8') : undefined;
}

/** Where another runner of the same guest has it open: it is there and is what it should be, or this throws. */
export function checkTrackingOverlay(overlay: string, data: DiskData): void {
  if (headerOf(overlay)?.dataFile !== data.path)
    throw new Error(
      `the bitmaps of changed blocks of ${data.path} are not here: the claim of the VM's state is not shared`,
    );
}

/** The raw disk behind an overlay; undefined when it is none. */
export function dataFileOf(overlay: string): string | undefined {
  return headerOf(overlay)?.dataFile;
}

function fits(header: Qcow2Header | undefined, data: DiskData, sizeBytes: number): boolean {
  return (
    header?.dataFile === data.path && header.backingFileLength === 0 && header.virtualSizeBytes === sizeBytes
  );
}

function headerOf(path: string): Qcow2Header | undefined {
  if (!existsSync(path)) return undefined;
  const head = new Uint8Array(HEADER_BYTES);
  const fd = openSync(path, 'r');
  try {
    return parseQcow2Header(head.subarray(0, readSync(fd, head)));
  } catch {
    return undefined; // not a qcow2 that we would have made
  } finally {
    closeSync(fd);
  }
}

/** `qemu-img create` empties the data file that it is given, so it gets another one, and the name is changed after. */
async function make(
  overlay: string,
  { path }: DiskData,
  sizeBytes: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const partial = `${overlay}.partial`;
  const stand = `${overlay}.data`;
  const options = signal === undefined ? {} : { signal };
  for (const file of [partial, stand]) rmSync(file, { force: true });
  try {
    const names = (file: string): string => `data_file=${file.replaceAll(',', ',,')},data_file_raw=on`;
    const create = ['create', '-q', '-f', 'qcow2', '-o', names(stand), partial, String(sizeBytes)];
    await run('qemu-img', create, options);
    await run('qemu-img', ['amend', '-q', '-f', 'qcow2', '-o', names(path), partial], options);
  } finally {
    rmSync(stand, { force: true });
  }
  renameSync(partial, overlay);
}
