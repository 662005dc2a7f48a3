/** The rest of a qcow2 file that was taken apart: what could not go to its place while it came. */
import { viewOf } from '@podvisor/base';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { ImageError } from '@podvisor/storage';
import { PlaceWriter } from '../write/place-writer.ts';
import type { ClusterFiles } from './cluster-files.ts';
import { type Mapping, mappingAt, tableAt } from './layout.ts';

const inflate = promisify(inflateRaw);
/** Clusters that are unpacked side by side. */
const ABREAST = 16;

/** Everything the tables speak of is in its place when it resolves (written, not synced). Throws ImageError. */
export async function completeDisk(
  files: ClusterFiles,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { layout } = files;
  const { clusterBytes, virtualSizeBytes } = layout;
  const writer = new PlaceWriter();
  const l1 = viewOf(await files.read(layout.l1Offset, layout.l1Entries * 8));
  const clusters = Math.ceil(virtualSizeBytes / clusterBytes);
  const perTable = clusterBytes / 8;
  for (let i = 0; i < layout.l1Entries; i += 1) {
    signal.throwIfAborted();
    const offset = tableAt(l1, i);
    if (offset === 0) continue;
    if (offset % clusterBytes !== 0) throw corrupt('a table is not where a cluster begins');
    const l2 = viewOf(await files.read(offset, clusterBytes));
    const first = i * perTable;
    let batch: { readonly guest: number; readonly mapping: Exclude<Mapping, { kind: 'zeros' }> }[] = [];
    const settle = async (): Promise<void> => {
      const contents = await Promise.all(batch.map(({ mapping }) => contentOf(files, mapping)));
      for (const [n, { guest }] of batch.entries()) {
        const start = guest * clusterBytes;
        const bytes = contents[n] ?? Buffer.alloc(0);
        await writer.write(files.disk, start, bytes.subarray(0, virtualSizeBytes - start));
      }
      batch = [];
    };
    for (let j = 0; j < perTable && first + j < clusters; j += 1) {
      const mapping = mappingAt(layout, l2, j);
      if (mapping.kind === 'zeros') continue;
      if (mapping.kind === 'data') {
        if (mapping.offset % clusterBytes !== 0) throw corrupt('data is not where a cluster begins');
        if (files.isInPlace(mapping.offset, first + j)) continue;
      }
      batch.push({ guest: first + j, mapping });
      if (batch.length === ABREAST) await settle();
    }
    await settle();
    onPercent((100 * (i + 1)) / layout.l1Entries);
  }
  await writer.flush();
}

async function contentOf(files: ClusterFiles, mapping: Exclude<Mapping, { kind: 'zeros' }>): Promise<Buffer> {
  const { clusterBytes } = files.layout;
  if (mapping.kind === 'data') return files.read(mapping.offset, clusterBytes);
  const packed = await files.read(mapping.offset, mapping.bytes);
  let bytes: Buffer;
  try {
    bytes = await inflate(packed, { maxOutputLength: clusterBytes });
  } catch (error) {
    throw corrupt('a compressed cluster cannot be unpacked', error);
  }
  if (bytes.length !== clusterBytes) throw corrupt('a compressed cluster is cut short');
  return bytes;
}

function corrupt(what: string, cause?: unknown): ImageError {
  return new ImageError('header', `the qcow2 image is damaged: ${what}`, { cause });
}
