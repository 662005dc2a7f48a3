import { DOMAIN_STATE } from '@podvisor/libvirt';
import { explain } from '../launcher-error.ts';
import { type DomainContext, requireDomain } from './context.ts';

/** Stops the guest's CPUs until a user unpauses it. Idempotent. */
export function pause(context: DomainContext): Promise<void> {
  return context.mutex.run(async () => {
    const { connection, domain } = await requireDomain(context, 'pause');
    const { state } = await connection.state(domain);
    context.runState.userPaused = true;
    if (state === DOMAIN_STATE.paused) return;
    await connection.suspend(domain).catch((error: unknown) => {
      context.runState.userPaused = false;
      throw explain('the virtual machine could not be paused', error);
    });
    await context.observer.refresh();
  });
}
