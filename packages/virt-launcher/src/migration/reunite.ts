/** Brings the two halves of a guest together again after its post-copy broke; `broken-post-copy.ts` decides how. */
import { type Clock, messageOf, sleep } from '@podvisor/base';
import {
  type DomainRef,
  type LibvirtConnection,
  MIGRATE_FLAG,
  type MigrationCookie,
  type TypedParam,
} from '@podvisor/libvirt';
import type { Log } from '../log.ts';
import { remedyFor, type SourceEnd, sourceEnd, type TargetEnd, targetEnd } from './broken-post-copy.ts';
import type { Outcome } from './move.ts';
import { text } from './plan.ts';

export interface ReuniteIo {
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
export async function reunite(
  io: ReuniteIo,
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
  let seen = '';
  /** Since when both ends answer and are not whole. */
  let sinceMs: number | undefined;
  const goesOn = (): void => {
    sinceMs = undefined;
  };
  for (;;) {
    const [source, seenThere] = await Promise.all([lookAtSource(io), lookAtTarget(io)]);
    const target = isTargetGone ? 'gone' : seenThere;
    if (source === 'unknown' || target === 'unknown') sinceMs = undefined;
    else sinceMs ??= clock.now();
    const isOverdue = sinceMs !== undefined && clock.now() - sinceMs > PATIENCE_MS;
    const remedy = remedyFor(source, target, { isFinishAsked, isOverdue });
    if (seen !== `${source} ${target}`) log.info({ source, target, remedy }, 'the two ends of the guest');
    seen = `${source} ${target}`;
    try {
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
          await letRun(io);
          break;
        case 'resume':
          await resume(io, goesOn);
          break;
        case 'wait':
          break;
      }
    } catch (problem) {
      log.warn({ error: messageOf(problem), remedy }, 'the guest is not whole yet');
    }
    await sleep(clock, LOOK_MS, signal);
  }
}

async function lookAtSource({ source, domain }: ReuniteIo): Promise<SourceEnd> {
  try {
    const found = await source().lookupByName(domain.name);
    return sourceEnd(found === undefined ? undefined : await source().state(found));
  } catch {
    return 'unknown'; // libvirtd is away and comes back
  }
}

async function lookAtTarget({ dial, domain }: ReuniteIo): Promise<TargetEnd> {
  try {
    await using target = await dial();
    const found = await target.lookupByName(domain.name);
    return targetEnd(found === undefined ? undefined : await target.state(found));
  } catch {
    return 'unknown'; // not reached
  }
}

/** Asks the target to let the guest run, and waits until all of it is there. */
async function letRun({ dial, domain, targetFlags }: ReuniteIo): Promise<void> {
  await using target = await dial();
  const params = [text('destination_name', domain.name)];
  await target.migration.finish({ params, cookie: NO_COOKIE, flags: targetFlags }, false);
}

/** The five steps once more, over new connections. Resolves when all of the guest is on the target. */
async function resume(io: ReuniteIo, goesOn: () => void): Promise<void> {
  const { source, dial, domain, sourceParams, targetParams, log } = io;
  const flags = io.flags | MIGRATE_FLAG.postCopyResume;
  const targetFlags = io.targetFlags | MIGRATE_FLAG.postCopyResume;
  const { migration } = source();
  await using target = await dial();
  const params = [text('destination_name', domain.name)];
  const signal = AbortSignal.timeout(ANSWER_MS);
  const begun = await migration.begin(domain, { params: [], flags }, signal);
  try {
    const prepare = { params: [text('destination_xml', begun.xml), ...targetParams], cookie: begun.cookie };
    const prepared = await target.migration.prepare({ ...prepare, flags: targetFlags }, signal);
    try {
      const step = { params: sourceParams, cookie: prepared.cookie, flags };
      const cookie = await migration.perform(domain, step, signal);
      log.info({}, 'post-copy goes on');
      goesOn();
      await target.migration.finish({ params, cookie, flags: targetFlags }, false);
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

function end({ source, domain, flags }: ReuniteIo, isCancelled: boolean): Promise<void> {
  return source().migration.confirm(domain, { params: [], cookie: NO_COOKIE, flags }, isCancelled);
}
