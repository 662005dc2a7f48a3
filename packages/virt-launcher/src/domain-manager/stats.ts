/** Numbers of the domain, in one flat record: libvirt's under its own names, and what only the launcher knows. */
import { readFile } from 'node:fs/promises';
import { type ParamRecord, STATS, STATS_NO_WAIT } from '@podvisor/libvirt';
import type { GuestFacts } from '../guest-agent/guest-facts.ts';
import { type DomainContext, requireDomain } from './context.ts';
import { dumpNumbers } from './memory-dump.ts';

const WANTED =
  STATS.state | STATS.cpuTotal | STATS.balloon | STATS.vcpu | STATS.interface | STATS.block | STATS.ioThread;

/** One call to libvirt; never waits for a domain that is busy. Adds `guest.…`, `host.…` and `dump.…`. */
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
