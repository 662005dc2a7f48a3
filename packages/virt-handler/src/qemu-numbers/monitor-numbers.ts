/**
 * QEMU's answers under the names that libvirt gives them: what the launcher says for `getDomainStats` and what is read
 * here become metrics by the same table. Pure. An answer is a stranger's word: what is
 * no number is left out, and no more disks are looked at than a guest can have.
 */
import { isRecord } from '@podvisor/base';
import { type Fields } from '../launcher-client/parse-values.ts';

const MAX_DISKS = 512;
const KIB = 1024;
/** QEMU's word for what the guest's driver does not tell: -1, as an unsigned number. */
const UNTOLD = 2 ** 63;

/** libvirt's name, QEMU's name. */
const DISK: readonly (readonly [string, string])[] = [
  ['rd.reqs', 'rd_operations'],
  ['rd.bytes', 'rd_bytes'],
  ['rd.times', 'rd_total_time_ns'],
  ['wr.reqs', 'wr_operations'],
  ['wr.bytes', 'wr_bytes'],
  ['wr.times', 'wr_total_time_ns'],
  ['fl.reqs', 'flush_operations'],
  ['fl.times', 'flush_total_time_ns'],
];
/** libvirt's name, QEMU's name, what one of libvirt's is. */
const BALLOON: readonly (readonly [string, string, number])[] = [
  ['balloon.swap_in', 'stat-swap-in', KIB],
  ['balloon.swap_out', 'stat-swap-out', KIB],
  ['balloon.major_fault', 'stat-major-faults', 1],
  ['balloon.minor_fault', 'stat-minor-faults', 1],
  ['balloon.unused', 'stat-free-memory', KIB],
  ['balloon.available', 'stat-total-memory', KIB],
  ['balloon.usable', 'stat-available-memory', KIB],
  ['balloon.disk_caches', 'stat-disk-caches', KIB],
];

/** Of `query-balloon`, or of the event that it has changed. */
export function balloonNumbers(answer: unknown): Record<string, number> {
  return counted([['balloon.current', fieldsOf(answer)['actual'], KIB]]);
}

/** Of the balloon's `guest-stats`. */
export function guestNumbers(answer: unknown): Record<string, number> {
  const stats = fieldsOf(fieldsOf(answer)['stats']);
  return counted(BALLOON.map(([name, theirs, unit]) => [name, stats[theirs], unit]));
}

/** Of `query-blockstats`. */
export function diskNumbers(answer: unknown): Record<string, unknown> {
  const disks = (Array.isArray(answer) ? answer.slice(0, MAX_DISKS) : []).flatMap((item: unknown) => {
    const { qdev, stats } = fieldsOf(item);
    const volume = typeof qdev === 'string' ? volumeOf(qdev) : undefined;
    return volume === undefined ? [] : [{ volume, stats: fieldsOf(stats) }];
  });
  const numbers: Record<string, unknown> = { 'block.count': disks.length };
  for (const [i, { volume, stats }] of disks.entries()) {
    numbers[`block.${i}.volume`] = volume;
    Object.assign(numbers, counted(DISK.map(([name, theirs]) => [`block.${i}.${name}`, stats[theirs], 1])));
  }
  return numbers;
}

/**
 * Devices of ours are called `ua-` and the volume's name, which libvirt makes the device's id. QEMU writes the id, or the
 * path of the device that it belongs to: `/machine/peripheral/ua-root/virtio-backend`.
 */
function volumeOf(qdev: string): string | undefined {
  return /(?:^|\/)ua-([a-z0-9.-]{1,253})(?:\/|$)/.exec(qdev)?.[1];
}

/** Those that are numbers from 0 on, in their units. */
function counted(
  values: readonly (readonly [name: string, value: unknown, unit: number])[],
): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [name, value, unit] of values)
    if (typeof value === 'number' && value >= 0 && value < UNTOLD) numbers[name] = Math.floor(value / unit);
  return numbers;
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
