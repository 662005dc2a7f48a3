/**
 * One leader among equals, by a Lease. Times of other holders are never compared with our clock: a record
 * is stale when WE have not seen it change for its duration. The leader gives up (and `onLost` must end the
 * process) when it could not renew within the deadline, which is shorter than the duration, so that two
 * leaders never overlap while clocks run at the same speed.
 */
import type { Lease } from '@podvisor/api';
import { type Clock, isStatus, messageOf, sleep, systemClock } from '@podvisor/base';
import type { KubeClient } from '../client/client.ts';
import { type Log, stderrLog, tellTrouble } from '../log.ts';
import { defineResource } from '../client/resource.ts';

export interface LeaderElectionOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'update'>;
  readonly leaseName: string;
  readonly namespace: string;
  /** Unique for each process. */
  readonly identity: string;
  /** We lead. `signal` ends when we do not any more. Must not throw; runs on its own. */
  onStarted(signal: AbortSignal): void;
  /** Leadership was lost: end the process. Not called when the outer signal ended it. */
  onLost(): void;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly leaseDurationMs?: number;
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
}

const leases = defineResource<Lease>('Lease', 'leases', 'coordination.k8s.io/v1');

/** Runs until the signal ends it (the lease is then released) or leadership is lost. */
export async function runLeaderElection(options: LeaderElectionOptions, signal: AbortSignal): Promise<void> {
  const elector = new Elector(options);
  if (!(await elector.acquire(signal))) return;
  const leading = new AbortController();
  options.onStarted(leading.signal);
  const lost = await elector.renew(signal);
  leading.abort(new Error(lost ? 'leadership lost' : 'shutting down'));
  if (lost) options.onLost();
  else await elector.release();
}

class Elector {
  readonly #options: LeaderElectionOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #durationMs: number;
  readonly #deadlineMs: number;
  readonly #retryMs: number;
  /** The record of another holder as we saw it last, and when it last changed before our eyes. */
  #observed: { readonly version: string | undefined; readonly at: number } | undefined;
  #held: Lease | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? stderrLog;
    this.#durationMs = options.leaseDurationMs ?? 15_000;
    this.#deadlineMs = options.renewDeadlineMs ?? 10_000;
    this.#retryMs = options.retryPeriodMs ?? 2_000;
  }

  /** True when we hold the lease; false when the signal ended the wait. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#attempt(signal)) return true;
      if (!(await this.#pause(signal))) return false;
    }
    return false;
  }

  /** Keeps the lease. True when it was lost, false when the signal ended it. */
  async renew(signal: AbortSignal): Promise<boolean> {
    let renewedAt = this.#clock.elapsed();
    while (await this.#pause(signal)) {
      const startedAt = this.#clock.elapsed();
      const leftMs = renewedAt + this.#deadlineMs - startedAt;
      if (leftMs <= 0) return true;
      const deadline = new AbortController();
      const cancel = this.#clock.after(leftMs, () => deadline.abort(new Error('renew deadline')));
      const held = await this.#attempt(AbortSignal.any([signal, deadline.signal]));
      cancel();
      if (held) renewedAt = startedAt;
      else if (this.#held === undefined) return true;
    }
    return false;
  }

  /** Lets the next one begin at once. */
  async release(): Promise<void> {
    if (this.#held === undefined) return;
    const spec = {
      ...this.#held.spec,
      holderIdentity: '',
      leaseDurationSeconds: 1,
      renewTime: this.#microTime(),
    };
    try {
      await this.#options.client.update(leases, { ...this.#held, spec });
    } catch (error) {
      // Best effort: without it the next leader waits for the lease to run out.
      this.#log.info({ lease: this.#options.leaseName, error: messageOf(error) }, 'lease was not released');
    }
  }

  /** One try to take or renew. Failures of the API count as "not held now". */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#takeOrRenew(signal);
    } catch (error) {
      if (!isStatus(error, 'Conflict') && !isStatus(error, 'AlreadyExists')) {
        tellTrouble(this.#log, error, {
          fields: { lease: this.#options.leaseName },
          message: 'lease could not be written',
        });
      }
      return false;
    }
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const { client, leaseName: name, namespace, identity } = this.#options;
    const now = this.#microTime();
    const found = await client.find(leases, { namespace, name }, signal);
    const seconds = Math.ceil(this.#durationMs / 1000);
    if (found === undefined) {
      const spec = {
        holderIdentity: identity,
        leaseDurationSeconds: seconds,
        acquireTime: now,
        renewTime: now,
        leaseTransitions: 0,
      };
      this.#held = await client.create(leases, { metadata: { name, namespace }, spec }, {}, signal);
      return true;
    }
    const ours = found.spec?.holderIdentity === identity;
    if (!ours) {
      this.#held = undefined;
      if (!this.#isFree(found)) return false;
    }
    const spec = {
      ...found.spec,
      holderIdentity: identity,
      leaseDurationSeconds: seconds,
      renewTime: now,
      ...(ours ? {} : { acquireTime: now, leaseTransitions: (found.spec?.leaseTransitions ?? 0) + 1 }),
    };
    this.#held = await client.update(leases, { ...found, spec }, {}, signal);
    return true;
  }

  #isFree(lease: Lease): boolean {
    if ((lease.spec?.holderIdentity ?? '') === '') return true;
    const version = lease.metadata?.resourceVersion;
    if (this.#observed === undefined || this.#observed.version !== version) {
      this.#observed = { version, at: this.#clock.elapsed() };
    }
    const durationMs = (lease.spec?.leaseDurationSeconds ?? this.#durationMs / 1000) * 1000;
    return this.#clock.elapsed() - this.#observed.at >= durationMs;
  }

  async #pause(signal: AbortSignal): Promise<boolean> {
    try {
      await sleep(this.#clock, this.#retryMs, signal);
      return true;
    } catch {
      // Only the signal ends a sleep early.
      return false;
    }
  }

  /** Kubernetes' MicroTime. */
  #microTime(): string {
    return new Date(this.#clock.now()).toISOString().replace('Z', '000Z');
  }
}
