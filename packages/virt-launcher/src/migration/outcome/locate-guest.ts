/** Where the guest runs, when the target's last answer was lost: it is asked until it says, or is proven gone. */
import { type Clock, messageOf, sleep } from '@podvisor/base';
import type { LibvirtConnection } from '@podvisor/libvirt';
import { isActive, stateName } from '../../domain/domain-state.ts';
import type { Log } from '../../log.ts';
import { incomingState } from '../incoming.ts';

export interface LocateGuestIo {
  readonly domainName: string;
  /** A new connection to the target's libvirtd. */
  readonly dial: () => Promise<LibvirtConnection>;
  /** Resolves with the proof that the Pod of the target has ended. */
  readonly targetGone: Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

const RETRY_MS = 500;

export async function locateGuest(io: LocateGuestIo, signal: AbortSignal): Promise<'runs' | 'gone'> {
  let proven = false;
  void io.targetGone.then(() => {
    proven = true;
  });
  for (;;) {
    if (proven) return 'gone';
    try {
      await using target = await io.dial();
      const domain = await target.lookupByName(io.domainName);
      if (domain === undefined) return 'gone';
      const state = await target.state(domain);
      if (!isActive(stateName(state))) return 'gone';
      if (incomingState('', state).stage === 'arrived') return 'runs';
    } catch (error) {
      io.log.info({ error: messageOf(error) }, 'the target does not answer');
    }
    await sleep(io.clock, RETRY_MS, signal);
  }
}
