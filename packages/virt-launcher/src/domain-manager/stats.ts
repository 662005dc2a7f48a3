import { type ParamRecord, STATS, STATS_NO_WAIT } from '@podvisor/libvirt';
import { type DomainContext, requireDomain } from './context.ts';

const WANTED =
  STATS.state | STATS.cpuTotal | STATS.balloon | STATS.vcpu | STATS.interface | STATS.block | STATS.ioThread;

/** libvirt's statistics under libvirt's names, in one call; never waits for a domain that is busy. */
export async function domainStats(context: DomainContext): Promise<ParamRecord> {
  const { connection, domain } = await requireDomain(context, 'measure');
  // The flag is the call's highest bits but one, so it fits an unsigned word.
  const [first] = await connection.inspect.allStats(WANTED, STATS_NO_WAIT, [domain]);
  return first?.params ?? {};
}
