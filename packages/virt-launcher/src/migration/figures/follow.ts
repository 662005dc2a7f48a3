/** Follows a guest's data on its way: reads the figures, judges them, and does what the verdict says. */
import type { MigrationMode } from '@podvisor/api';
import { type Clock, sleep } from '@podvisor/base';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import type { Log } from '../../log.ts';
import { advance, begin, type Course, downtimeLimitMs, judge, type Limits } from './judge.ts';
import { sampleOf } from './progress.ts';

export interface FollowIo {
  readonly source: LibvirtConnection;
  readonly domain: DomainRef;
  /** By the bytes of copied disks, which are known only while they move. */
  readonly limits: (diskBytes: number) => Limits;
  /** What the configuration allows; absent: as much as QEMU does by itself. */
  readonly maxDowntimeMs: number | undefined;
  /** Whoever wanted to stop it has the word. */
  readonly isCancelled: () => boolean;
  readonly entered: (mode: MigrationMode) => void;
  readonly giveUp: (why: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Between two looks at the job; libvirt tells of passes, but not of bytes. */
const LOOK_MS = 400;

export class Follower {
  readonly #io: FollowIo;
  #course: Course;
  #allowedMs: number | undefined;
  /** Ends the wait for the next look. */
  #wake = new AbortController();

  constructor(io: FollowIo) {
    this.#io = io;
    this.#course = begin(io.clock.elapsed());
  }

  get course(): Course {
    return this.#course;
  }

  /** Before the data moves: how long the guest may stand still at the end of the first passes. */
  async allowFirstDowntime(): Promise<void> {
    // Where it is refused QEMU's own limit holds, which is only longer.
    await this.#allow(0).catch((error: unknown) =>
      this.#io.log.info({ error }, 'the downtime of the first passes could not be limited'),
    );
  }

  /** A new pass over the memory has begun: the last one was not the last. */
  passed(iteration: number): void {
    if (iteration === 1) this.#wake.abort(); // the disks are copied: now their figures are known
    this.#allow(iteration).catch((error: unknown) =>
      this.#io.log.info({ error }, 'the allowed downtime could not be changed'),
    );
  }

  /** Until the data has moved. */
  async follow(moved: Promise<unknown>): Promise<void> {
    const { source, domain, limits, clock, log } = this.#io;
    const done = new AbortController();
    const stop = (): void => done.abort();
    moved.then(stop, stop);
    this.#course = begin(clock.elapsed());
    while (!done.signal.aborted) {
      try {
        const sample = sampleOf(await source.migration.jobStats(domain), clock.elapsed());
        if (sample !== undefined) this.#course = advance(this.#course, sample);
        if ((sample?.iteration ?? 0) >= 1) await this.#allow(sample?.iteration ?? 0);
        await this.#act(limits(sample?.diskTotalBytes ?? 0));
      } catch (error) {
        // The job may have ended between two looks, or libvirtd is away: `moved` tells.
        if (!done.signal.aborted) log.info({ error }, 'the migration could not be looked at');
      }
      await sleep(clock, LOOK_MS, AbortSignal.any([done.signal, this.#wake.signal])).catch(() => {});
      this.#wake = new AbortController();
    }
  }

  /** The last figures, when all is over. */
  conclude(last: Course['last']): void {
    if (last !== undefined) this.#course = { ...this.#course, last };
  }

  async #allow(iteration: number): Promise<void> {
    const { source, domain, maxDowntimeMs, clock } = this.#io;
    const wantedMs = downtimeLimitMs(this.#course, iteration, maxDowntimeMs, clock.elapsed());
    if (wantedMs === this.#allowedMs || wantedMs < (this.#allowedMs ?? 0)) return;
    this.#allowedMs = wantedMs;
    await source.migration.setMaxDowntime(domain, wantedMs);
  }

  async #act(limits: Limits): Promise<void> {
    const { source, domain, clock, log } = this.#io;
    if (this.#io.isCancelled()) return;
    const verdict = judge(this.#course, limits, clock.elapsed());
    if (verdict.kind === 'go-on') return;
    log.warn({ verdict, figures: this.#course.last }, 'the migration needs help');
    switch (verdict.kind) {
      case 'post-copy':
        this.#enter('PostCopy'); // first: once asked, there is no way back, whatever the answer
        await source.migration.startPostCopy(domain);
        return;
      case 'pause':
        await source.suspend(domain);
        this.#enter('Paused');
        return;
      case 'abort':
        await this.#io.giveUp(verdict.why);
        return;
    }
  }

  #enter(mode: MigrationMode): void {
    this.#course = { ...this.#course, mode, progressMs: this.#io.clock.elapsed() };
    this.#io.entered(mode);
  }
}
