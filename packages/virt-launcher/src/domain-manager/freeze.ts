/** Freezing the guest's file systems for a consistent copy, with a promise that they never stay frozen. */
import { explain } from '../launcher-error.ts';
import { FREEZE_STATUS } from '../guest-agent/poller.ts';
import { askAgent } from './agent.ts';
import { type DomainContext, requireDomain } from './context.ts';

/** Longer than libvirt takes to begin a backup. */
const BRIEFLY_SECONDS = 60;

/** Freezes; thaws by itself after `timeoutSeconds` (0: never). A guest that is frozen already stays so. */
export function freeze(context: DomainContext, timeoutSeconds: number): Promise<void> {
  return context.mutex.run(async () => {
    const { connection, domain } = await requireDomain(context, 'freeze');
    try {
      if ((await askAgent(context, FREEZE_STATUS)) === 'frozen') return;
      await connection.guest.freeze(domain);
    } catch (error) {
      throw explain('the file systems of the guest could not be frozen', error);
    }
    void context.agent.askNow(FREEZE_STATUS);
    context.runState.cancelThaw?.();
    context.runState.cancelThaw =
      timeoutSeconds === 0
        ? undefined
        : context.clock.after(timeoutSeconds * 1000, () => void safetyThaw(context));
  });
}

/**
 * Freezes for a moment; answers how to thaw, which always works in the end. A guest that somebody else has frozen
 * stays so.
 */
export async function freezeBriefly(context: DomainContext): Promise<() => Promise<void>> {
  if ((await askAgent(context, FREEZE_STATUS)) === 'frozen') return async () => {};
  await freeze(context, BRIEFLY_SECONDS);
  return () =>
    unfreeze(context).catch((error: unknown) => {
      context.log.warn({ error }, 'the guest could not be thawed at once');
      return safetyThaw(context);
    });
}

export function unfreeze(context: DomainContext): Promise<void> {
  return context.mutex.run(async () => {
    const { connection, domain } = await requireDomain(context, 'unfreeze');
    context.runState.cancelThaw?.();
    context.runState.cancelThaw = undefined;
    await connection.guest.thaw(domain).catch((error: unknown) => {
      throw explain('the file systems of the guest could not be thawed', error);
    });
    void context.agent.askNow(FREEZE_STATUS);
  });
}

async function safetyThaw(context: DomainContext): Promise<void> {
  try {
    context.log.warn({}, 'nobody unfroze the guest in time: thawing it');
    await unfreeze(context);
  } catch (error) {
    context.log.error({ error }, 'the safety thaw failed, trying again in 5 s');
    context.runState.cancelThaw = context.clock.after(5_000, () => void safetyThaw(context));
  }
}
