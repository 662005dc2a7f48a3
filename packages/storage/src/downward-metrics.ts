/**
 * The disk on which a guest reads facts about its host, in the format of vhostmd: 16 bytes of header
 * (signature, busy flag, sum of the content's bytes, length; big-endian), then XML. Pure.
 */
export interface Metric {
  readonly name: string;
  readonly type: 'string' | 'int32' | 'int64' | 'uint64' | 'real64';
  readonly value: string;
  /** `host` unless told. */
  readonly context?: 'host' | 'vm';
}

const SIGNATURE = 'mvbd';
const HEADER_BYTES = 16;
/** The size that readers of the disk expect. */
const DISK_BYTES = 256 * 1024;

/** The whole disk. Throws when the metrics do not fit. */
export function vhostmdDisk(metrics: readonly Metric[]): Buffer {
  const content = Buffer.from(`<metrics>\n${metrics.map(element).join('')}</metrics>\n`);
  if (content.length > DISK_BYTES - HEADER_BYTES)
    throw new Error(`${content.length} bytes of metrics do not fit into a disk of ${DISK_BYTES}`);
  const disk = Buffer.alloc(DISK_BYTES);
  disk.write(SIGNATURE, 0, 'latin1');
  disk.writeUInt32BE(
    content.reduce((sum, byte) => (sum + byte) >>> 0, 0),
    8,
  );
  disk.writeUInt32BE(content.length, 12);
  content.copy(disk, HEADER_BYTES);
  return disk;
}

function element({ name, type, value, context = 'host' }: Metric): string {
  const [safeName, safeValue] = [name, value].map((text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  );
  return `  <metric type="${type}" context="${context}"><name>${safeName}</name><value>${safeValue}</value></metric>\n`;
}
