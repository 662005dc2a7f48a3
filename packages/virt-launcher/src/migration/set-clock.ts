/** The guest's clock, after a time in which it did not run. */
import { sleep } from '@podvisor/base';
import { type DomainContext, requireDomain } from '../domain-manager/context.ts';

/** How long the agent may take to be heard of again, and how often it is looked for. */
const AGENT_WAIT_MS = 5_000;
const AGENT_LOOK_MS = 250;

/** The guest stood still. One without an agent, or that cannot set its clock, runs on all the same. */
export async function setClock(context: DomainContext): Promise<void> {
  const { clock, observer, signal, log } = context;
  const giveUpMs = clock.elapsed() + AGENT_WAIT_MS;
  try {
    while (clock.elapsed() < giveUpMs) {
      const { known } = observer;
      if (known.kind === 'present' && known.state.agentConnected) {
        const { connection, domain } = await requireDomain(context, 'set the clock of');
        return await connection.guest.setTime(domain, clock.now());
      }
      await sleep(clock, AGENT_LOOK_MS, signal);
    }
  } catch (error) {
    log.info({ error }, 'the guest did not set its clock');
  }
}
