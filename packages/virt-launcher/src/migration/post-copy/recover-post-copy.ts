/** Brings the two halves of a guest together again after its post-copy broke; `broken-post-copy.ts` decides how. */
import { type Clock, messageOf, sleep } from '@podvisor/base';
import {
  type DomainRef,
  type LibvirtConnection,
  MIGRATE_FLAG,
  type MigrationCookie,
  type TypedParam,
} from '@podvisor/libvirt';
import type { Log } from '../../log.ts';
import {
  remedyFor,
  type Remedy,
  type SourceEnd,
  sourceEnd,
  type TargetEnd,
  targetEnd,
} from './broken-post-copy.ts';
import type { Outcome } from '../move.ts';
import { text } from '../plan.ts';

export interface RecoveryIo {
  /** Our own libvirtd; throws while it is away. */
  readonly source: () => LibvirtConnection;
  /** A new connection to the target's. */
  readonly dial: () => Promise<LibvirtConnection>;
  readonly domain: DomainRef;
  readonly flags: number;
  readonly targetFlags: number;
  /** Where the source sends to, with its limits, and where the target listens. */
  readonly sourceParams: readonly TypedParam[];
  readonly targetParams: readonly TypedParam[];
  /** Resolves with the proof that the Pod of the target has ended. */
  readonly targetGone: Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

const LOOK_MS = 500;
/** What an end that answers at all may take for one attempt, and for being told that it came to nothing. */
const ANSWER_MS = 15_000;
const CANCEL_MS = 5_000;
/** Longer than the silence after which a carrier breaks a connection: by then both ends know. */
const PATIENCE_MS = 30_000;
const NO_COOKIE: MigrationCookie = Buffer.alloc(0);

/** `error`: what broke. Rejects only when the launcher ends. */
export async function recoverPostCopy(
  io: RecoveryIo,
  error: unknown,
  isFinishAsked: boolean,
  signal: AbortSignal,
): Promise<Outcome> {
  const { clock, log } = io;
  let isTargetGone = false;
  void io.targetGone.then(() => {
    isTargetGone = true;
  });
  log.warn({ error: messageOf(error) }, 'post-copy broke');
  const attempts = new AttemptRunner(log, signal);
  let seen = '';
  /** Since when both ends answer and are not whole. */
  let sinceMs: number | undefined;
  try {
    for (;;) {
      const [source, seenThere] = await Promise.all([lookAtSource(io), lookAtTarget(io)]);
      const target = isTargetGone ? 'gone' : seenThere;
      if (source === 'unknown' || target === 'unknown' || attempts.isGoingOn) sinceMs = undefined;
      else sinceMs ??= clock.elapsed();
      const isOverdue = sinceMs !== undefined && clock.elapsed() - sinceMs > PATIENCE_MS;
      const remedy = remedyFor(source, target, { isFinishAsked, isOverdue });
      if (seen !== `${source} ${target}`) log.info({ source, target, remedy }, 'the two ends of the guest');
      seen = `${source} ${target}`;
      switch (remedy) {
        case 'stayed':
          await end(io, true).catch(() => {});
          return { kind: 'stayed', error };
        case 'handed-over':
          await end(io, false).catch(() => {}); // the caller ends what is left of it
          return { kind: 'handed-over', confirm: async () => {} };
        case 'lost':
          await end(io, true).catch(() => {});
          return { kind: 'lost', error };
        case 'finish':
          isFinishAsked = true;
          attempts.begin(remedy, (_goesOn, ended) => letRun(io, ended));
          break;
        case 'resume':
          attempts.begin(remedy, (goesOn, ended) => resume(io, goesOn, ended));
          break;
        case 'wait':
          break;
      }
      await sleep(clock, LOOK_MS, signal);
    }
  } finally {
    attempts.end();
  }
}

/**
 * One attempt at a time, beside the looks: an attempt may take as long as the memory takes to arrive, and a QEMU that
 * waits for a page in the middle of its own work never answers it.
 */
class AttemptRunner {
  readonly #log: Log;
  readonly #ended = new AbortController();
  readonly #signal: AbortSignal;
  #running: { goesOn: boolean } | undefined;

  constructor(log: Log, signal: AbortSignal) {
    this.#log = log;
    this.#signal = AbortSignal.any([signal, this.#ended.signal]);
  }

  /** Memory comes in again. */
  get isGoingOn(): boolean {
    return this.#running?.goesOn === true;
  }

  begin(remedy: Remedy, attempt: (goesOn: () => void, ended: AbortSignal) => Promise<void>): void {
    if (this.#running !== undefined) return;
    const running = { goesOn: false };
    this.#running = running;
    const goesOn = (): void => {
      running.goesOn = true;
    };
    attempt(goesOn, this.#signal)
      .catch((error: unknown) => {
        if (!this.#ended.signal.aborted)
          this.#log.warn({ error: messageOf(error), remedy }, 'the guest is not whole yet');
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** What still waits for an answer gets none. */
  end(): void {
    this.#ended.abort(new Error('what became of the guest is known'));
  }
}

async function lookAtSource({ source, domain }: RecoveryIo): Promise<SourceEnd> {
  try {
    const found = await source().lookupByName(domain.name);
    return sourceEnd(found === undefined ? undefined : await source().state(found));
  } catch {
    return 'unknown'; // libvirtd is away and comes back
  }
}

async function lookAtTarget({ dial, domain, clock }: RecoveryIo): Promise<TargetEnd> {
  const ask = async (): Promise<TargetEnd> => {
    await using target = await dial();
    const found = await target.lookupByName(domain.name);
    return targetEnd(found === undefined ? undefined : await target.state(found));
  };
  const asked = new AbortController();
  try {
    const silence = sleep(clock, ANSWER_MS, asked.signal).then((): TargetEnd => 'unknown');
    return await Promise.race([ask(), silence]);
  } catch {
    return 'unknown'; // not reached
  } finally {
    asked.abort();
  }
}

/** Asks the target to let the guest run, and waits until all of it is there. */
async function letRun({ dial, domain, targetFlags }: RecoveryIo, ended: AbortSignal): Promise<void> {
  await using target = await dial();
  const params = [text('destination_name', domain.name)];
  await target.migration.finish({ params, cookie: NO_COOKIE, flags: targetFlags }, false, ended);
}

/** The five steps once more, over new connections. Resolves when all of the guest is on the target. */
async function resume(io: RecoveryIo, goesOn: () => void, ended: AbortSignal): Promise<void> {
  const { source, dial, domain, sourceParams, targetParams, log } = io;
  const flags = io.flags | MIGRATE_FLAG.postCopyResume;
  const targetFlags = io.targetFlags | MIGRATE_FLAG.postCopyResume;
  const { migration } = source();
  await using target = await dial();
  const params = [text('destination_name', domain.name)];
  const signal = AbortSignal.any([ended, AbortSignal.timeout(ANSWER_MS)]);
  const begun = await migration.begin(domain, { params: [], flags }, signal);
  try {
    const prepare = { params: [text('destination_xml', begun.xml), ...targetParams], cookie: begun.cookie };
    const prepared = await target.migration.prepare({ ...prepare, flags: targetFlags }, signal);
    try {
      const step = { params: sourceParams, cookie: prepared.cookie, flags };
      const cookie = await migration.perform(domain, step, signal);
      log.info({}, 'post-copy goes on');
      goesOn();
      await target.migration.finish({ params, cookie, flags: targetFlags }, false, ended);
    } catch (error) {
      await target.migration
        .finish({ params, cookie: NO_COOKIE, flags: targetFlags }, true, AbortSignal.timeout(CANCEL_MS))
        .catch(() => {}); // "aborted" comes as an error, and a target that is not reached notices by itself
      throw error;
    }
  } catch (error) {
    // The attempt is over; both ends stand as they stood before it.
    await migration.confirm(domain, { params: [], cookie: NO_COOKIE, flags }, true).catch(() => {});
    throw error;
  }
}

function end({ source, domain, flags }: RecoveryIo, isCancelled: boolean): Promise<void> {
  return source().migration.confirm(domain, { params: [], cookie: NO_COOKIE, flags }, isCancelled);
}
