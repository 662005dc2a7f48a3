/**
 * How a qcow2 file is laid out: where its tables are and what their entries say. Pure, within fixed bounds; the
 * image is a stranger's. Layout: docs/interop/qcow2.txt of QEMU.
 */

export interface Qcow2Layout {
  readonly clusterBits: number;
  readonly clusterBytes: number;
  readonly virtualSizeBytes: number;
  /** Where the first table is, and how many of its entries count. */
  readonly l1Offset: number;
  readonly l1Entries: number;
}

/** What the guest sees in one of its clusters. Offsets are of the file. */
export type Mapping =
  | { readonly kind: 'zeros' }
  | { readonly kind: 'data'; readonly offset: number }
  | { readonly kind: 'compressed'; readonly offset: number; readonly bytes: number };

const V2_LENGTH = 72;
/** The only incompatible feature that changes nothing for a reader: reference counts may be out of date. */
const DIRTY = 1;
const MAX_L1_BYTES = 32 * 1024 * 1024;
/** Places are kept as 32-bit numbers. */
const MAX_CLUSTERS = 2 ** 32 - 2;

/**
 * The layout of an image that was judged before (no backing file, no data elsewhere, not encrypted). Undefined
 * where it has features that this reader does not know: then qemu-img reads it.
 */
export function layoutOf(head: Uint8Array): Qcow2Layout | undefined {
  if (head.length < V2_LENGTH) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const clusterBits = view.getUint32(20);
  if (clusterBits < 9 || clusterBits > 21) return undefined;
  const isV3 = view.getUint32(4) === 3;
  if (isV3 && (head.length < 80 || (view.getBigUint64(72) & ~BigInt(DIRTY)) !== 0n)) return undefined;
  const clusterBytes = 2 ** clusterBits;
  const virtualSizeBytes = Number(view.getBigUint64(24));
  const l1Offset = Number(view.getBigUint64(40));
  const clusters = Math.ceil(virtualSizeBytes / clusterBytes);
  const l1Entries = Math.ceil(clusters / (clusterBytes / 8));
  const fits = l1Entries <= view.getUint32(36) && l1Entries * 8 <= MAX_L1_BYTES && clusters <= MAX_CLUSTERS;
  if (!fits || l1Offset % clusterBytes !== 0 || l1Offset === 0) return undefined;
  return { clusterBits, clusterBytes, virtualSizeBytes, l1Offset, l1Entries };
}

const OFFSET_HIGH = 0x00ff_ffff;
const OFFSET_LOW = 0xffff_fe00;
const COMPRESSED = 0x4000_0000;
const READS_AS_ZEROS = 1;

/** Entry `index` of the first table: where a second table begins; 0: there is none. */
export function tableAt(table: DataView, index: number): number {
  return (
    (table.getUint32(index * 8) & OFFSET_HIGH) * 2 ** 32 +
    ((table.getUint32(index * 8 + 4) & OFFSET_LOW) >>> 0)
  );
}

/** Entry `index` of a second table. */
export function mappingAt({ clusterBits }: Qcow2Layout, table: DataView, index: number): Mapping {
  const high = table.getUint32(index * 8);
  const low = table.getUint32(index * 8 + 4);
  if ((high & COMPRESSED) !== 0) {
    const shift = 70 - clusterBits - 32;
    const offset = (high & (2 ** shift - 1)) * 2 ** 32 + low;
    const sectors = ((high & (COMPRESSED - 1)) >>> shift) + 1;
    return { kind: 'compressed', offset, bytes: sectors * 512 - (offset % 512) };
  }
  const offset = tableAt(table, index);
  return offset === 0 || (low & READS_AS_ZEROS) !== 0 ? { kind: 'zeros' } : { kind: 'data', offset };
}
