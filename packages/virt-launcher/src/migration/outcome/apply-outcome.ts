/** Makes true on the source what the outcome of a migration says: a running guest that stayed, no QEMU otherwise. */
import { type Clock, sleep } from '@podvisor/base';
import { DOMAIN_STATE, ERROR_CODE, isLibvirtError } from '@podvisor/libvirt';
import type { DiskLeases } from '../../disks/disk-leases.ts';
import { isActive, stateName } from '../../domain/domain-state.ts';
import type { LibvirtSession } from '../../domain/libvirt-session.ts';
import { LibvirtUnavailable } from '../../domain/libvirt-session.ts';
import type { Log } from '../../log.ts';
import type { Outcome } from '../move.ts';

export interface ApplyOutcomeIo {
  readonly session: Pick<LibvirtSession, 'connection'>;
  readonly domainName: string;
  /** Asked before the guest goes on here. */
  readonly leases: Pick<DiskLeases, 'verify'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Between two tries to reach our own libvirtd. */
const RETRY_MS = 500;

export async function applyOutcome(
  io: ApplyOutcomeIo,
  outcome: Outcome['kind'],
  wasPaused: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { session, domainName, clock, log } = io;
  while (!signal.aborted) {
    try {
      const { connection } = session;
      const domain = await connection.lookupByName(domainName);
      if (domain === undefined) return;
      const { state } = await connection.state(domain);
      if (outcome !== 'stayed') {
        if (isActive(stateName({ state, reason: 0 }))) await connection.destroy(domain);
        return;
      }
      if (state === DOMAIN_STATE.paused && !wasPaused) {
        await io.leases.verify();
        await connection.resume(domain);
      }
      return;
    } catch (error) {
      if (isLibvirtError(error, ERROR_CODE.operationInvalid)) return; // it is as it should be already
      if (!(error instanceof LibvirtUnavailable))
        log.warn({ error }, 'the source is not yet as the migration left it');
      await sleep(clock, RETRY_MS, signal).catch(() => {});
    }
  }
}
