/** What a disk image is, found out from its first bytes; refuses what must not be given to QEMU. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { HEADER_BYTES, isQcow, parseQcow2Header } from './qcow2-header.ts';

/** An image that may be used as a disk or as the backing file of one. */
export interface ImageInfo {
  readonly format: 'qcow2' | 'raw';
  readonly virtualSizeBytes: number;
  /** Length of the file. */
  readonly fileSizeBytes: number;
}

/** The image cannot be used. `kind` says why; the message is for people. */
export class ImageError extends Error {
  readonly kind: 'format' | 'reference' | 'header' | 'type' | 'empty';

  constructor(kind: ImageError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImageError';
    this.kind = kind;
  }
}

/** Formats that are neither raw nor qcow2, by the bytes they begin with. */
const OTHER_FORMATS: readonly (readonly [name: string, magic: string])[] = [
  ['vmdk', 'KDMV'],
  ['vmdk', 'COWD'],
  ['vmdk', '# Disk DescriptorFile'],
  ['vhdx', 'vhdxfile'],
  ['vpc', 'conectix'],
  ['qed', 'QED\0'],
  ['vdi', '<<< '],
  ['parallels', 'WithoutFreeSpace'],
  ['parallels', 'WithouFreSpacExt'],
  ['luks', 'LUKS\xba\xbe'],
  ['bochs', 'Bochs Virtual HD Image'],
];

/** Inspects an open file or a path. Throws ImageError. */
export function inspectImage(image: number | string): ImageInfo {
  const fd = typeof image === 'string' ? openSync(image, 'r') : image;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new ImageError('type', 'the disk image is not a regular file');
    const head = new Uint8Array(Math.min(HEADER_BYTES, stat.size));
    let filled = 0;
    while (filled < head.length) {
      const count = readSync(fd, head, filled, head.length - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return judgeImage(head.subarray(0, filled), stat.size);
  } finally {
    if (typeof image === 'string') closeSync(fd);
  }
}

/**
 * The same without holding up this thread: whoever serves many VMs may not wait for a file system that fetches its
 * files when they are read. Throws ImageError.
 */
export async function inspectImageLater(path: string): Promise<ImageInfo> {
  await using file = await open(path, 'r');
  const stat = await file.stat();
  if (!stat.isFile()) throw new ImageError('type', 'the disk image is not a regular file');
  const head = new Uint8Array(Math.min(HEADER_BYTES, stat.size));
  let filled = 0;
  while (filled < head.length) {
    const { bytesRead } = await file.read(head, filled, head.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return judgeImage(head.subarray(0, filled), stat.size);
}

/** The pure part: first bytes and length of a file → what it is. Throws ImageError. */
export function judgeImage(head: Uint8Array, fileSizeBytes: number): ImageInfo {
  if (fileSizeBytes === 0) throw new ImageError('empty', 'the disk image is empty');
  if (!isQcow(head)) {
    const other = OTHER_FORMATS.find(([, magic]) => startsWith(head, magic));
    if (other !== undefined)
      throw new ImageError('format', `the disk image is of format ${other[0]}; convert it to qcow2 or raw`);
    return { format: 'raw', virtualSizeBytes: Math.ceil(fileSizeBytes / 512) * 512, fileSizeBytes };
  }
  const header = readHeader(head);
  if (header.backingFileLength > 0)
    throw new ImageError(
      'reference',
      'the qcow2 image names a backing file; flatten it with qemu-img convert',
    );
  if (header.hasExternalDataFile)
    throw new ImageError('reference', 'the qcow2 image keeps its data in another file; flatten it');
  if (header.isEncrypted)
    throw new ImageError('format', 'the qcow2 image is encrypted, which is not supported');
  return { format: 'qcow2', virtualSizeBytes: header.virtualSizeBytes, fileSizeBytes };
}

function readHeader(head: Uint8Array): ReturnType<typeof parseQcow2Header> {
  try {
    return parseQcow2Header(head);
  } catch (error) {
    throw new ImageError('header', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  if (bytes.length < magic.length) return false;
  return [...magic].every((character, i) => bytes[i] === character.charCodeAt(0));
}
