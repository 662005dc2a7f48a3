/** Disk images as people have them, and the container disk that is made of one. */
import { closeSync, linkSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packImage, run } from '@podvisor/sys';
import { noDisk, RAW_SECTOR } from '../../import/disk-head.ts';
import type { Progress } from '../../progress.ts';

/** Who runs QEMU in a launcher. */
const QEMU_USER = 107;
const CONVERT_MS = 3_600_000;

/** What `qemu-img info` says, as far as it matters. */
export interface DiskInfo {
  readonly format: string;
  readonly 'virtual-size': number;
  readonly 'backing-filename'?: string;
  readonly 'format-specific'?: { readonly data?: Readonly<Record<string, unknown>> };
}

/** Why a disk cannot be packed, or undefined. Pure. */
export function diskRefusal(file: string, info: DiskInfo, bytes: number): string | undefined {
  const backing = info['backing-filename'];
  if (backing !== undefined)
    return `${file} is only the changes over ${backing}: make one disk of both with \`qemu-img convert -O qcow2 ${file} WHOLE.qcow2\``;
  const data = info['format-specific']?.data?.['data-file'];
  if (data !== undefined)
    return `${file} keeps its data in ${String(data)}: make one disk of both with \`qemu-img convert\``;
  if (info['virtual-size'] === 0) return `${file} is empty`;
  if (info.format === 'raw' && bytes % RAW_SECTOR !== 0) return noDisk(file);
  return undefined;
}

/** Whether a file is a container image and no disk: an OCI layout, or a tar (packed or not). */
export function isArchive(path: string): boolean {
  if (statSync(path).isDirectory()) return true;
  const head = Buffer.alloc(512);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, head, 0, head.length, 0);
  } finally {
    closeSync(fd);
  }
  const isGzip = head.readUInt16BE(0) === 0x1f8b;
  return isGzip || head.subarray(257, 262).toString('latin1') === 'ustar';
}

/** Makes an OCI layout with the disk in /disk; a qcow2 is taken as it is, all else converted. Answers with its info. */
export async function packDisk(
  file: string,
  reference: string,
  layout: string,
  progress?: Progress,
): Promise<DiskInfo> {
  if (!statSync(file).isFile()) throw new Error(`${file} is not a file, and a disk image is needed`);
  const { stdout } = await run('qemu-img', ['info', '--output=json', '--', file]);
  const info = JSON.parse(stdout) as DiskInfo;
  const refusal = diskRefusal(file, info, statSync(file).size);
  if (refusal !== undefined) throw new Error(refusal);
  const directory = mkdtempSync(`${layout}.root.`);
  try {
    const disk = join(directory, 'disk', `${basename(file).replace(/\.[^.]*$/, '')}.qcow2`);
    mkdirSync(dirname(disk));
    if (info.format !== 'qcow2' || !linked(file, disk)) await convert(file, info, disk, progress);
    await packImage({ directory, layout, reference, user: QEMU_USER });
    progress?.all(info['virtual-size']);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return info;
}

async function convert(
  file: string,
  info: DiskInfo,
  disk: string,
  progress: Progress | undefined,
): Promise<void> {
  const total = info['virtual-size'];
  await run('qemu-img', ['convert', '-p', '-f', info.format, '-O', 'qcow2', '--', file, disk], {
    timeoutMs: CONVERT_MS,
    onStdout: (text) => {
      const part = convertedPart(text);
      if (part !== undefined) progress?.at(Math.round(part * total), total);
    },
  });
}

/** How far `qemu-img convert -p` is, from 0 to 1, by the last that it wrote. Pure. */
export function convertedPart(text: string): number | undefined {
  const percent = [...text.matchAll(/\((\d+(?:\.\d+)?)\/100%\)/g)].at(-1)?.[1];
  return percent === undefined ? undefined : Number(percent) / 100;
}

/** A second name costs nothing; across file systems there is none. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}
