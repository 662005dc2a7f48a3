/**
 * The header of a qcow2 file, read by ourselves and within fixed bounds, before any other program opens
 * the file. An image is a guest's input: a header that names another file (backing file, external data
 * file) would make QEMU open that file of the Pod, or of the node, on the guest's behalf.
 * Layout: docs/interop/qcow2.txt of QEMU.
 */
import { viewOf } from '@podvisor/base';

/** What a header says, in so far as we act on it. */
export interface Qcow2Header {
  readonly version: 2 | 3;
  readonly virtualSizeBytes: number;
  readonly clusterBits: number;
  /** Length in bytes of the name of a backing file; 0: none. */
  readonly backingFileLength: number;
  readonly hasExternalDataFile: boolean;
  /** Name of that file, when the header gives one. */
  readonly dataFile?: string;
  readonly isEncrypted: boolean;
}

/** The bytes are not a well-formed qcow2 header. */
export class Qcow2HeaderError extends Error {
  constructor(what: string) {
    super(`the qcow2 header is not valid: ${what}`);
    this.name = 'Qcow2HeaderError';
  }
}

const MAGIC = 0x514649fb; // "QFI\xfb"
const INCOMPATIBLE_EXTERNAL_DATA = 1n << 2n;
const EXTENSION_END = 0x00000000;
const EXTENSION_DATA_FILE = 0x44415441;
const V2_LENGTH = 72;
const V3_MIN_LENGTH = 104;
/** Header extensions end where the first cluster ends; we never look further than this. */
export const HEADER_BYTES = 64 * 1024;

/** True when the bytes begin as a qcow2 (or old qcow) file does. */
export function isQcow(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && viewOf(bytes).getUint32(0) === MAGIC;
}

/** Reads the header from the first bytes of a file (at most HEADER_BYTES are looked at). */
export function parseQcow2Header(bytes: Uint8Array): Qcow2Header {
  const view = viewOf(bytes.subarray(0, HEADER_BYTES));
  if (!isQcow(bytes)) throw new Qcow2HeaderError('wrong magic number');
  if (view.byteLength < V2_LENGTH) throw new Qcow2HeaderError('it is cut short');
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3) throw new Qcow2HeaderError(`version ${version} is not known`);
  const clusterBits = view.getUint32(20);
  if (clusterBits < 9 || clusterBits > 21) throw new Qcow2HeaderError(`cluster_bits is ${clusterBits}`);
  const size = view.getBigUint64(24);
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new Qcow2HeaderError(`the virtual size is ${size}`);
  const backingOffset = view.getBigUint64(8);
  const backingSize = view.getUint32(16);
  const features = version === 3 ? readFeatures(view) : 0n;
  const dataFile = nameOfDataFile(view, version);
  return {
    version,
    virtualSizeBytes: Number(size),
    clusterBits,
    // Either field set means that somebody wanted a backing file; QEMU looks at the offset.
    backingFileLength: backingOffset === 0n ? 0 : Math.max(1, backingSize),
    hasExternalDataFile: (features & INCOMPATIBLE_EXTERNAL_DATA) !== 0n || dataFile !== undefined,
    ...(dataFile === undefined ? {} : { dataFile }),
    isEncrypted: view.getUint32(32) !== 0,
  };
}

function readFeatures(view: DataView): bigint {
  if (view.byteLength < V3_MIN_LENGTH) throw new Qcow2HeaderError('it is cut short');
  return view.getBigUint64(72);
}

/** Walks the header extensions; a walk that leaves the header region is an error, not an end. */
function nameOfDataFile(view: DataView, version: 2 | 3): string | undefined {
  let offset = version === 2 ? V2_LENGTH : view.getUint32(100);
  if (version === 3 && (offset < V3_MIN_LENGTH || offset % 8 !== 0))
    throw new Qcow2HeaderError(`header_length is ${offset}`);
  while (offset + 8 <= view.byteLength) {
    const type = view.getUint32(offset);
    const length = view.getUint32(offset + 4);
    if (type === EXTENSION_END) return undefined;
    if (type === EXTENSION_DATA_FILE) return text(view, offset + 8, length);
    offset += 8 + Math.ceil(length / 8) * 8;
  }
  // A version 2 file may simply be shorter than its first cluster.
  if (version === 2 || offset <= view.byteLength) return undefined;
  throw new Qcow2HeaderError('a header extension is longer than the header');
}

/** What lies beyond the header is left out: the name is then wrong, and no name that we would accept. */
function text(view: DataView, offset: number, length: number): string {
  const end = Math.min(offset + length, view.byteLength);
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + offset, end - offset));
}
