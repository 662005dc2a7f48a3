/** Numbers that the launcher has told already, with its domain's state, under the names of `getDomainStats`. Pure. */
import type { DomainState } from '@podvisor/api';
import type { DomainStats } from '../metrics/domain-metrics.ts';

const KIB = 1024;

/** `seen`: what QEMU and the kernel say. */
export function toldNumbers(told: DomainState | undefined, seen: DomainStats): Record<string, unknown> {
  return {
    ...memoryNumbers(told, seen['balloon.current']),
    ...affinity(told, seen),
    ...loadNumbers(told),
    ...filesystemNumbers(told),
  };
}

/** Where QEMU is emulated its memory is a little more than the guest's (decision 010). */
function memoryNumbers(told: DomainState | undefined, balloonKib: unknown): Record<string, number> {
  if (told?.memoryBytes === undefined) return {};
  const [current, maximum] = [told.memoryBytes.current / KIB, told.memoryBytes.max / KIB];
  return {
    'balloon.maximum': maximum,
    // Without a balloon, the guest has what it was given.
    'balloon.current': Math.min(typeof balloonKib === 'number' ? balloonKib : current, maximum),
  };
}

/** Pairs of a virtual CPU and a CPU that it may run on. */
function affinity(told: DomainState | undefined, seen: DomainStats): Record<string, number> {
  const cpus = seen['host.cpus'];
  if (typeof cpus !== 'number') return {};
  const { sockets, cores, threads } = told?.cpu ?? { sockets: 0, cores: 0, threads: 0 };
  const vcpus = sockets * cores * threads || Number(seen['vcpu.maximum'] ?? 0);
  return { 'host.cpu_affinity': cpus * vcpus };
}

function loadNumbers(told: DomainState | undefined): Record<string, number> {
  if (told?.guestLoad === undefined) return {};
  const [one, five, fifteen] = told.guestLoad;
  return { 'guest.load.1m': one, 'guest.load.5m': five, 'guest.load.15m': fifteen };
}

function filesystemNumbers(told: DomainState | undefined): Record<string, unknown> {
  const numbers: Record<string, unknown> = { 'guest.filesystem.count': told?.filesystems?.length ?? 0 };
  for (const [i, filesystem] of (told?.filesystems ?? []).entries()) {
    const key = `guest.filesystem.${i}`;
    numbers[`${key}.disk`] = filesystem.diskName;
    numbers[`${key}.mount`] = filesystem.mountPoint;
    numbers[`${key}.type`] = filesystem.fileSystemType;
    numbers[`${key}.total`] = filesystem.totalBytes;
    numbers[`${key}.used`] = filesystem.usedBytes;
  }
  return numbers;
}
