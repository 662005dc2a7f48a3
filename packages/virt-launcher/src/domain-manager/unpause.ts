import { DOMAIN_STATE } from '@podvisor/libvirt';
import { explain } from '../launcher-error.ts';
import { type DomainContext, requireDomain } from './context.ts';

/** Lets a paused guest run again and, where the agent is there, sets its clock. Idempotent. */
export function unpause(context: DomainContext): Promise<void> {
  return context.mutex.run(async () => {
    const { connection, domain } = await requireDomain(context, 'unpause');
    const { state } = await connection.state(domain);
    if (state === DOMAIN_STATE.paused) {
      await context.leases.verify();
      await connection.resume(domain).catch((error: unknown) => {
        throw explain('the virtual machine could not be unpaused', error);
      });
    }
    context.runState.userPaused = false;
    await context.observer.refresh();
    const { known } = context.observer;
    if (known.kind === 'present' && known.state.agentConnected) {
      // The guest slept: its clock is behind. A guest that cannot set it runs on all the same.
      connection.guest
        .setTime(domain, context.clock.now())
        .catch((error: unknown) => context.log.info({ error }, 'the guest did not set its clock'));
    }
  });
}
