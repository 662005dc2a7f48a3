/**
 * Ends a QEMU that cannot let go of its target. When the way to the target breaks in the moment in which the guest is
 * stopped, QEMU 7.2 waits for its copies of disks to come to rest, and they never do: the guest stands still, its memory
 * is nowhere else, and libvirt gives no answer. Once the target is proven gone there is nothing left to wait for; the
 * disks here are whole, and the run strategy starts the guest anew.
 */
import { type Clock, sleep } from '@podvisor/base';
import type { Log } from '../log.ts';

export interface StuckIo {
  /** Resolves when the connection to the target breaks. */
  readonly broken: Promise<void>;
  /** Asks virt-handler to find out about the target's Pod. */
  readonly askAboutTarget: () => void;
  /** Resolves with the proof that the Pod of the target has ended. */
  readonly targetGone: Promise<void>;
  readonly destroy: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What libvirt may take to notice by itself. */
const NOTICE_MS = 5_000;
const STUCK_MS = 10_000;

/** `moved` settles when the data has moved, or will not. Never rejects. */
export async function endStuck(io: StuckIo, moved: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { clock, log } = io;
  const over = new AbortController();
  const stop = (): void => over.abort();
  moved.then(stop, stop);
  const ended = AbortSignal.any([over.signal, signal]);
  try {
    await orEnd(io.broken, ended);
    await sleep(clock, NOTICE_MS, ended);
    log.warn({}, 'the way to the target broke, and QEMU has not noticed');
    io.askAboutTarget();
    await orEnd(io.targetGone, ended);
    await sleep(clock, STUCK_MS, ended);
    log.error({}, 'QEMU waits for a target that is gone; it is ended, and the guest with it');
    await io.destroy();
  } catch (error) {
    if (!ended.aborted) log.error({ error }, 'QEMU could not be ended');
  }
}

/** Rejects when it is over before. */
function orEnd(event: Promise<void>, ended: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(ended.reason as Error);
  if (ended.aborted) stop();
  ended.addEventListener('abort', stop, { once: true });
  return Promise.race([event, promise]);
}
