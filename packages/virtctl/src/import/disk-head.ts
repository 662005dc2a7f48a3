/** What a disk image is and how large its guest sees it, from its first bytes. Pure; the importer looks again. */
import { ImportError } from './machine.ts';

export type DiskFormat = 'raw' | 'qcow2' | 'vmdk' | 'vhd' | 'vhdx' | 'vdi';

export interface DiskHead {
  readonly format: DiskFormat;
  /** Undefined where the head does not tell (VHDX): then it must be said. */
  readonly sizeBytes: number | undefined;
}

/** Enough for every header that is looked at. */
export const HEAD_BYTES = 4096;
const SECTOR = 512;
/** Every disk has whole sectors; a raw image has nothing else by which it could be known. */
export const RAW_SECTOR = SECTOR;
const VDI_SIGNATURE = 0xbeda107f;

export function diskHead(start: Buffer, fileBytes: number): DiskHead {
  // A file that ends early has zeros there: no size, and the importer refuses it.
  const head = Buffer.concat([start, Buffer.alloc(Math.max(0, SECTOR - start.length))]);
  const begins = (magic: string): boolean => head.subarray(0, magic.length).toString('latin1') === magic;
  if (begins('QFI\u00fb')) {
    if (bigAt(head, 8) !== 0) throw referring('qcow2');
    return { format: 'qcow2', sizeBytes: bigAt(head, 24) };
  }
  if (begins('KDMV')) return { format: 'vmdk', sizeBytes: Number(head.readBigUInt64LE(12)) * SECTOR };
  if (begins('# Disk DescriptorFile'))
    throw new ImportError(
      'this VMDK only describes the disk: import the file with its data (…-flat.vmdk or …-s001.vmdk made one)',
    );
  if (begins('vhdxfile')) return { format: 'vhdx', sizeBytes: undefined };
  if (begins('conectix')) {
    if (head.readUInt32BE(60) === 4) throw referring('VHD');
    return { format: 'vhd', sizeBytes: bigAt(head, 48) };
  }
  if (head.readUInt32LE(64) === VDI_SIGNATURE)
    return { format: 'vdi', sizeBytes: Number(head.readBigUInt64LE(368)) };
  return { format: 'raw', sizeBytes: fileBytes };
}

/** Why a file that is no image of a known kind is no raw one either. */
export function noDisk(file: string): string {
  return `${file} is no disk image: it is no qcow2, VMDK, VHD, VHDX or VDI, and a raw disk has whole sectors of ${SECTOR} bytes`;
}

function bigAt(head: Buffer, offset: number): number {
  return Number(head.readBigUInt64BE(offset));
}

function referring(format: string): ImportError {
  return new ImportError(
    `this ${format} is only the changes over another image: merge them first (qemu-img convert)`,
  );
}
