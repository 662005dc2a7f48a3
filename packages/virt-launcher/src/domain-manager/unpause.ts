import { DOMAIN_STATE } from '@podvisor/libvirt';
import { explain, LauncherError } from '../launcher-error.ts';
import { type DomainContext, requireDomain, type RunState } from './context.ts';

/**
 * Lets a paused guest run again and, where the agent is there, sets its clock. Idempotent. Not one that stands still to be
 * saved: its memory is on its way to a claim, or there, and its disks must not move on.
 */
export function unpause(context: DomainContext): Promise<void> {
  return context.mutex.run(async () => {
    requireUnsaved(context.runState);
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

/** Pure. */
export function requireUnsaved({
  hibernation,
  memorySnapshot,
}: Pick<RunState, 'hibernation' | 'memorySnapshot'>): void {
  if (hibernation?.phase === 'Saving' || hibernation?.phase === 'Saved')
    throw new LauncherError('the virtual machine is being hibernated: it does not go on meanwhile');
  if (memorySnapshot?.isUnderWay === true)
    throw new LauncherError(
      'the memory of the virtual machine is being saved to a snapshot: it goes on by itself afterwards',
    );
}
