/**
 * What a stream or file is, by its first bytes, and whether it may be given to qemu-img. Pure. Formats that
 * can point at other files are looked into here, before any other program does.
 */
import { viewOf } from '@podvisor/base';
import { ImageError, judgeImage } from '@podvisor/storage';

export type Compression = 'gzip' | 'xz' | 'zstd';
export type ImageFormat = 'raw' | 'qcow2' | 'vmdk' | 'vdi' | 'vpc' | 'vhdx';

/** Enough for every header that is looked at. */
export const HEAD_BYTES = 64 * 1024;

const COMPRESSIONS: readonly (readonly [Compression, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

export function compressionOf(head: Uint8Array): Compression | undefined {
  return COMPRESSIONS.find(([, magic]) => magic.every((byte, i) => head[i] === byte))?.[0];
}

/** The format of an image that begins with `head`. Throws ImageError for what must not be opened. */
export function formatOf(head: Uint8Array): ImageFormat {
  if (begins(head, 'KDMV')) return vmdk(head);
  if (begins(head, '# Disk DescriptorFile'))
    throw new ImageError(
      'reference',
      'this VMDK is a description that names other files; import the data file, or convert it to one file',
    );
  if (begins(head, 'COWD')) throw new ImageError('format', 'VMDK files of ESX 2 (COWD) are not supported');
  if (begins(head, 'vhdxfile')) return 'vhdx';
  if (begins(head, 'conectix')) return vhd(head);
  if (head.length >= 68 && viewOf(head).getUint32(64, true) === VDI_SIGNATURE) return vdi(head);
  return judgeImage(head, Math.max(1, head.length)).format;
}

const VDI_SIGNATURE = 0xbeda107f;
const VDI_DYNAMIC = 1;
const VDI_FIXED = 2;

function vdi(head: Uint8Array): ImageFormat {
  const type = head.length >= 80 ? viewOf(head).getUint32(76, true) : 0;
  if (type !== VDI_DYNAMIC && type !== VDI_FIXED)
    throw new ImageError(
      'reference',
      `this VDI (type ${type}) is a difference to another image; merge them first`,
    );
  return 'vdi';
}

const VHD_DIFFERENCE = 4;

function vhd(head: Uint8Array): ImageFormat {
  if (head.length >= 64 && viewOf(head).getUint32(60) === VHD_DIFFERENCE)
    throw new ImageError('reference', 'this VHD is a difference to another image; merge them first');
  return 'vpc';
}

const SECTOR = 512;

/**
 * A sparse VMDK carries its own description. One that has no capacity makes QEMU read the description
 * instead, which may name any file; a parent makes it open that.
 */
function vmdk(head: Uint8Array): ImageFormat {
  if (head.length < 512) throw new ImageError('header', 'the VMDK header is cut short');
  const view = viewOf(head);
  if (view.getBigUint64(12, true) === 0n)
    throw new ImageError('reference', 'the VMDK has no data of its own; import the file that has');
  const offset = Number(view.getBigUint64(28, true)) * SECTOR;
  const length = Number(view.getBigUint64(36, true)) * SECTOR;
  if (offset === 0 || length === 0) return 'vmdk';
  if (offset + length > head.length)
    throw new ImageError('header', 'the description inside the VMDK is larger than any that we accept');
  const text = Buffer.from(head.subarray(offset, offset + length)).toString('latin1');
  if (/parentFileNameHint/i.test(text))
    throw new ImageError('reference', 'the VMDK is a difference to another image; merge them first');
  const extents = text.match(/^(RW|RDONLY|NOACCESS)\s.*$/gm) ?? [];
  if (extents.length > 1 || extents.some((line) => !/\bSPARSE\b/.test(line)))
    throw new ImageError('reference', 'the VMDK keeps its data in other files; convert it to one file');
  return 'vmdk';
}

function begins(bytes: Uint8Array, magic: string): boolean {
  return bytes.length >= magic.length && [...magic].every((c, i) => bytes[i] === c.charCodeAt(0));
}
