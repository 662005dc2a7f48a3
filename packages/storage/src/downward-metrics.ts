/**
 * The disk on which a guest reads facts about its host, in the format of vhostmd: 16 bytes of header
 * (signature, busy flag, sum of the content's bytes, length; big-endian), then XML. Pure.
 */
export interface Metric {
  readonly name: string;
  readonly type: 'string' | 'int32' | 'int64' | 'uint64' | 'real64';
  readonly value: string;
  readonly unit?: string;
  /** `host` unless told. */
  readonly context?: 'host' | 'vm';
}

const SIGNATURE = 'mvbd';
const HEADER_BYTES = 16;
/** The size that readers of the disk expect. */
const DISK_BYTES = 256 * 1024;

/** How a disk is marked while it is being written: these bytes at this offset; the content begins after the header. */
export const VHOSTMD_BUSY = {
  bytes: Buffer.from([0, 0, 0, 1]),
  offset: 4,
  headerBytes: HEADER_BYTES,
} as const;

/** The metrics as vhostmd writes them. */
export function metricsXml(metrics: readonly Metric[]): string {
  return `<metrics>\n${metrics.map(element).join('')}</metrics>\n`;
}

/** The whole disk. Throws when the metrics do not fit. */
export function vhostmdDisk(metrics: readonly Metric[]): Buffer {
  const content = Buffer.from(metricsXml(metrics));
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

function element({ name, type, value, unit, context = 'host' }: Metric): string {
  const [safeName, safeValue] = [name, value].map((text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  );
  const measure = unit === undefined ? '' : ` unit="${unit}"`;
  return `  <metric type="${type}" context="${context}"${measure}><name>${safeName}</name><value>${safeValue}</value></metric>\n`;
}
