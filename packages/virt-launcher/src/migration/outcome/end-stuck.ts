/**
 * Ends a migration that libvirt does not end, although its target is proven gone.
 *
 * A guest that runs is never harmed. QEMU notices a dead target when it writes to it, and a copy that passes over the
 * holes of a disk writes nothing: libvirt is told to give the migration up, and is started anew when it does not; the
 * new one cancels the migration and re-adopts the guest.
 *
 * A guest that stands still is another matter. When the way to the target breaks in the moment in which the guest is
 * stopped, QEMU 7.2 waits for its copies of disks to come to rest, and they never do: its memory is nowhere else, and
 * there is nothing left to wait for. The disks here are whole, so that QEMU is ended, and the run strategy starts the
 * guest anew.
 */
import { type Clock, sleep } from '@podvisor/base';
import type { Log } from '../../log.ts';

export interface StuckIo {
  /** Resolves when the connection to the target breaks. */
  readonly broken: Promise<void>;
  /** Asks virt-handler to find out about the target's Pod. */
  readonly askAboutTarget: () => void;
  /** Resolves with the proof that the Pod of the target has ended. */
  readonly targetGone: Promise<void>;
  /** The guest is stopped, as it is while the last of it is handed over. */
  readonly standsStill: () => Promise<boolean>;
  /** Asks libvirt to give the migration up. */
  readonly abort: () => Promise<void>;
  /** Ends libvirtd, which is started anew at once. */
  readonly restartLibvirtd: () => void;
  /** Ends QEMU, and the guest with it. */
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
    if (!(await io.standsStill())) {
      log.warn({}, 'the guest runs, and its target is gone; libvirt is told to give the migration up');
      // It may not answer that either.
      io.abort().catch((error: unknown) => log.warn({ error }, 'libvirt did not give the migration up'));
    }
    await sleep(clock, STUCK_MS, ended);
    if (await io.standsStill()) {
      log.error({}, 'QEMU waits for a target that is gone; it is ended, and the guest with it');
      await io.destroy();
      return;
    }
    log.error(
      {},
      'libvirt cannot let go of a target that is gone; it is started anew, and the guest runs on',
    );
    io.restartLibvirtd();
  } catch (error) {
    if (!ended.aborted) log.error({ error }, 'the stuck migration could not be ended');
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
