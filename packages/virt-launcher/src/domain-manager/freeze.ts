/** Freezing the guest's file systems for a consistent copy, with a promise that they never stay frozen. */
import { explain } from '../launcher-error.ts';
import { FREEZE_STATUS } from '../guest-agent/poller.ts';
import { askAgent } from './agent.ts';
import { type DomainContext, requireDomain } from './context.ts';

/** Longer than libvirt takes to begin a backup. */
const BRIEFLY_SECONDS = 60;

/** The guest may have scripts that take their time. libvirt by itself would wait for an answer for ever. */
const ANSWER_SECONDS = 180;
const AGAIN_MS = 5_000;
/** How often a guest that has not answered is asked whether it has frozen after all. */
const TRIES = 60;

/** Freezes; thaws by itself after `timeoutSeconds` (0: never). A guest that is frozen already stays so. */
export function freeze(context: DomainContext, timeoutSeconds: number): Promise<void> {
  return context.freezing.run(async () => {
    await requireDomain(context, 'freeze');
    let isAsked = false;
    try {
      if ((await askAgent(context, FREEZE_STATUS)) === 'frozen') return;
      isAsked = true;
      await askAgent(context, 'guest-fsfreeze-freeze', undefined, ANSWER_SECONDS);
    } catch (error) {
      if (isAsked) thawLater(context, AGAIN_MS, () => thawIfFrozen(context, TRIES));
      throw explain('the file systems of the guest could not be frozen', error);
    }
    void context.agent.askNow(FREEZE_STATUS);
    context.runState.cancelThaw?.();
    context.runState.cancelThaw = undefined;
    if (timeoutSeconds !== 0) thawLater(context, timeoutSeconds * 1000, () => safetyThaw(context));
  });
}

function thawLater({ runState, clock }: DomainContext, afterMs: number, thaw: () => Promise<void>): void {
  runState.cancelThaw?.();
  runState.cancelThaw = clock.after(afterMs, () => void thaw());
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
  return context.freezing.run(async () => {
    await requireDomain(context, 'unfreeze');
    context.runState.cancelThaw?.();
    context.runState.cancelThaw = undefined;
    await askAgent(context, 'guest-fsfreeze-thaw', undefined, ANSWER_SECONDS).catch((error: unknown) => {
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
    thawLater(context, AGAIN_MS, () => safetyThaw(context));
  }
}

/** After a freeze that did not end well: the agent does one thing after the other, so its answer is about the time after. */
async function thawIfFrozen(context: DomainContext, tries: number): Promise<void> {
  const status = await askAgent(context, FREEZE_STATUS).catch(() => undefined);
  if (status === 'frozen') await safetyThaw(context);
  else if (status === undefined && tries > 1)
    thawLater(context, AGAIN_MS, () => thawIfFrozen(context, tries - 1));
}
