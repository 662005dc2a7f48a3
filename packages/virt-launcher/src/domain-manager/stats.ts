/** Numbers of the domain, in one flat record: libvirt's under its own names, and what only the launcher knows. */
import { readFile } from 'node:fs/promises';
import { type ParamRecord, STATS, STATS_NO_WAIT } from '@podvisor/libvirt';
import type { GuestFacts } from '../guest-agent/guest-facts.ts';
import { type DomainContext, requireDomain } from './context.ts';
import { dumpNumbers } from './memory-dump.ts';

/**
 * Each group costs QEMU questions, and its main loop stands still for them. CPU time is not asked for: libvirt would ask
 * QEMU for halt polling beside it, and takes the rest from /proc as we do. Nobody uses the numbers of I/O threads.
 */
const WANTED = STATS.state | STATS.balloon | STATS.vcpu | STATS.interface | STATS.block;

/** Linux tells user space a hundredth of a second, whatever the kernel counts in. */
const TICK_NS = 10_000_000;

/** One call to libvirt; never waits for a domain that is busy. Adds `cpu.…`, `guest.…`, `host.…` and `dump.…`. */
export async function domainStats(context: DomainContext): Promise<ParamRecord> {
  const { connection, domain } = await requireDomain(context, 'measure');
  // The flag is the call's highest bits but one, so it fits an unsigned word.
  const [first] = await connection.inspect.allStats(WANTED, STATS_NO_WAIT, [domain]);
  const { known } = context.observer;
  const pid = known.kind === 'present' ? known.state.qemuPid : undefined;
  const cpus = pid === undefined ? undefined : await allowedCpus(pid);
  const vcpus = Number(first?.params['vcpu.current'] ?? 0);
  return {
    ...first?.params,
    ...(pid === undefined ? {} : await cpuNumbers(pid)),
    ...guestNumbers(context.agent.facts),
    ...(await dumpNumbers(context)),
    ...(cpus === undefined ? {} : { 'host.cpu_affinity': cpus * vcpus }),
  };
}

function guestNumbers({ load, filesystems = [] }: GuestFacts): ParamRecord {
  const disks = filesystems.flatMap((filesystem, i) => {
    const key = `guest.filesystem.${i}`;
    return [
      [`${key}.disk`, filesystem.diskName],
      [`${key}.mount`, filesystem.mountPoint],
      [`${key}.type`, filesystem.fileSystemType],
      [`${key}.total`, filesystem.totalBytes],
      [`${key}.used`, filesystem.usedBytes],
    ] as const;
  });
  return {
    ...(load === undefined
      ? {}
      : { 'guest.load.1m': load[0], 'guest.load.5m': load[1], 'guest.load.15m': load[2] }),
    'guest.filesystem.count': filesystems.length,
    ...Object.fromEntries(disks),
  };
}

async function cpuNumbers(pid: number): Promise<ParamRecord> {
  try {
    return cpuTimes(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return {}; // QEMU ended while we looked
  }
}

/** Fields 14 and 15 of proc(5) stat, of all threads, under libvirt's names and in nanoseconds. Pure. */
export function cpuTimes(stat: string): ParamRecord {
  // The name, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]].map((ticks) => Number(ticks) * TICK_NS);
  return user === undefined || system === undefined || Number.isNaN(user + system)
    ? {}
    : { 'cpu.time': user + system, 'cpu.user': user, 'cpu.system': system };
}

/** How many CPUs of the node QEMU may run on. */
async function allowedCpus(pid: number): Promise<number | undefined> {
  try {
    const mask = /^Cpus_allowed:\s*(\S+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    const bits = [...mask.replaceAll(',', '')].map((digit) => Number.parseInt(digit, 16).toString(2));
    return bits.join('').replaceAll('0', '').length;
  } catch {
    return undefined; // QEMU ended while we looked
  }
}
