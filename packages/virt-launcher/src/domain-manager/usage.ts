/** The few numbers of the domain that the history of its usage is made of. */
import { readFile } from 'node:fs/promises';
import { type ParamRecord, STATS, STATS_NO_WAIT } from '@podvisor/libvirt';
import { type DomainContext, requireDomain } from './context.ts';
import { cpuTimes } from './stats.ts';

/** Each group costs QEMU a question; CPU time is read from /proc. */
const WANTED = STATS.balloon | STATS.interface | STATS.block;

export async function usageNumbers(context: DomainContext): Promise<ParamRecord> {
  const { connection, domain } = await requireDomain(context, 'measure');
  const [first] = await connection.inspect.allStats(WANTED, STATS_NO_WAIT, [domain]);
  const { known } = context.observer;
  const pid = known.kind === 'present' ? known.state.qemuPid : undefined;
  // Without QEMU there is nothing to be measured.
  return { ...first?.params, ...cpuTimes(await readFile(`/proc/${pid ?? 'none'}/stat`, 'utf8')) };
}
