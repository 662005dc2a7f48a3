/** Disk images of strangers: what they are, their qcow2 header, and their tables. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ImageError } from '@podvisor/storage';
import { formatOf } from '../../../packages/importer/src/image/formats.ts';
import { ClusterFiles } from '../../../packages/importer/src/qcow2/cluster-files.ts';
import { completeDisk } from '../../../packages/importer/src/qcow2/complete.ts';
import { layoutOf } from '../../../packages/importer/src/qcow2/layout.ts';
import { judgeImage } from '../../../packages/storage/src/image/inspect.ts';
import {
  isQcow,
  parseQcow2Header,
  Qcow2HeaderError,
} from '../../../packages/storage/src/image/qcow2-header.ts';
import { bytes, expect, type FuzzTarget } from '../frame/target.ts';
import { scratchDirectory } from './scratch.ts';

const CLUSTER = 512;

function qcow2(version: 2 | 3): Buffer {
  const image = Buffer.alloc(8 * CLUSTER);
  image.writeUInt32BE(0x514649fb, 0);
  image.writeUInt32BE(version, 4);
  image.writeUInt32BE(9, 20);
  image.writeBigUInt64BE(BigInt(64 * CLUSTER), 24);
  image.writeUInt32BE(1, 36);
  image.writeBigUInt64BE(BigInt(CLUSTER), 40);
  image.writeUInt32BE(104, 100);
  // First table, second table, then three clusters of data.
  image.writeBigUInt64BE(BigInt(2 * CLUSTER), CLUSTER);
  for (const [i, cluster] of [3, 4, 5].entries())
    image.writeBigUInt64BE(BigInt(cluster * CLUSTER), 2 * CLUSTER + i * 8);
  image.fill(0x41, 3 * CLUSTER);
  return image;
}

const vmdk = (): Buffer => {
  const image = Buffer.alloc(2048);
  image.write('KDMV');
  image.writeBigUInt64LE(16n, 12);
  image.writeBigUInt64LE(1n, 28);
  image.writeBigUInt64LE(1n, 36);
  image.write('# Disk DescriptorFile\nRW 16 SPARSE "a.vmdk"\n', 512);
  return image;
};

const words = [
  'QFI\xfb',
  'KDMV',
  'COWD',
  'conectix',
  'vhdxfile',
  'parentFileNameHint',
  '\nRW 1 FLAT "/etc/shadow" 0\n',
  '# Disk DescriptorFile',
  Uint8Array.of(0x44, 0x41, 0x54, 0x41),
  Uint8Array.of(0x40, 0, 0, 0),
  Uint8Array.of(0x80, 0, 0, 0),
  Uint8Array.of(0, 0, 2, 0),
];

/** No image that points at another file may pass, however it is spelled. */
function check(input: Uint8Array): void {
  const { virtualSizeBytes } = judgeImage(input, Math.max(1, input.length));
  expect(Number.isSafeInteger(virtualSizeBytes) && virtualSizeBytes >= 0, 'a disk has a size');
  if (!isQcow(input)) return;
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  expect(view.getBigUint64(8) === 0n, 'an image with a backing file does not pass');
  if (view.getUint32(4) === 3) expect((view.getBigUint64(72) & 4n) === 0n, 'nor one with data elsewhere');
}

export const header: FuzzTarget = {
  seeds: [qcow2(2), qcow2(3), vmdk(), bytes('plain bytes of a raw disk')],
  words,
  refuses: (error) => error instanceof ImageError || error instanceof Qcow2HeaderError,
  feed: (input) => {
    if (!/^(raw|qcow2)$/.test(formatOf(input))) return;
    check(input);
    if (isQcow(input)) parseQcow2Header(input);
  },
};

const directory = scratchDirectory('qcow2');
/** A disk is only as large as the claim that it is for. */
const MAX_DISK_BYTES = 1024 * 1024;

export const tables: FuzzTarget = {
  seeds: [qcow2(2), qcow2(3)],
  words,
  maxBytes: 8 * CLUSTER,
  longBytes: 64 * CLUSTER,
  refuses: (error) => error instanceof ImageError,
  feed: async (input) => {
    if (!isQcow(input)) return;
    const { virtualSizeBytes } = judgeImage(input, input.length);
    const layout = layoutOf(input);
    if (layout === undefined || virtualSizeBytes > MAX_DISK_BYTES) return;
    await using disk = await open(join(directory, 'disk'), 'w+');
    await using kept = await open(join(directory, 'kept'), 'w+');
    const files = new ClusterFiles(layout, { disk, kept });
    await files.write(Buffer.from(input));
    await files.flush();
    await disk.truncate(virtualSizeBytes);
    await completeDisk(files, () => undefined, new AbortController().signal);
    expect((await disk.stat()).size === virtualSizeBytes, 'a disk has the size that its header says');
  },
};
