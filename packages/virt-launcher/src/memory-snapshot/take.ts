/**
 * Writes the guest's memory to the claim while the guest runs, as a migration does, and lets it stand still for the
 * last part of it and until its disks are taken: memory and disks then are of one instant. The file gets its name, by
 * which it can be loaded, only after the guest has stood still through all of that; every failure before lets the guest
 * go on and leaves nothing that could be loaded.
 */
import { open } from 'node:fs/promises';
import { claimName, type SyncOptions, type VirtualMachineInstance } from '@podvisor/api';
import { betweenFailPoints, messageOf, rfc3339 } from '@podvisor/base';
import { type DomainRef, MIGRATE_FLAG } from '@podvisor/libvirt';
import { domainFromXml, guestMemoryBytes } from '@podvisor/translate';
import { withRawDisks } from '../backup/tracked-disks.ts';
import type { DomainContext } from '../domain-manager/context.ts';
import { leasesOf } from '../hibernation/disk-leases.ts';
import { keepPodDisks, podDisks } from '../hibernation/pod-disks.ts';
import { SaveLimit } from '../hibernation/save-limit.ts';
import { clearedOrLate, clearFirst, STATE_FLAGS, stateMeta } from '../hibernation/save.ts';
import { clearStates, commitState, makeDisksDirectory, statePaths } from '../hibernation/state-directory.ts';
import { writeState } from '@podvisor/storage';
import { keyOf } from '../hibernation/state-key.ts';
import { streamGuest } from '../hibernation/stream.ts';
import { explain } from '../launcher-error.ts';
import { Follower } from '../migration/figures/follow.ts';
import { applyOutcome } from '../migration/outcome/apply-outcome.ts';
import { disksTaken } from './disks-taken.ts';
import type { MemorySnapshot } from './memory-snapshot.ts';

const LIVE_FLAGS = STATE_FLAGS | MIGRATE_FLAG.live;
/** A guest that writes faster than its memory can be saved stands still for the rest of it from then on. */
const LIVE_MS = 20_000;
/** …or when this many times its memory has been written: the claim has room for that, and once more for the rest. */
const LIVE_PASSES = 1.25;

export interface Taking {
  readonly vmi: VirtualMachineInstance;
  /** Where the claim is. */
  readonly directory: string;
  readonly options: SyncOptions;
  readonly snapshot: MemorySnapshot;
}

export async function takeMemory(context: DomainContext, domain: DomainRef, taking: Taking): Promise<void> {
  const { clock, log } = context;
  const { snapshot } = taking;
  try {
    await context.observer.refresh();
    const facts = await take(context, domain, taking);
    snapshot.change({ phase: 'Taken', endTimestamp: rfc3339(clock.now()), ...facts });
    log.info(facts, 'the memory of the guest is in the snapshot');
  } catch (error) {
    const { message } = explain('the memory of the guest could not be saved', error);
    log.warn({ error }, 'there is no snapshot of the memory; the guest goes on');
    snapshot.change({ phase: 'Failed', endTimestamp: rfc3339(clock.now()), message });
  }
  await context.observer.refresh();
}

async function take(
  context: DomainContext,
  domain: DomainRef,
  { vmi, directory, options, snapshot }: Taking,
): Promise<{ readonly sizeBytes: number; readonly pauseMilliseconds: number }> {
  const { connection } = context.session;
  const { runState, clock } = context;
  const paths = statePaths(directory, context.vmiUid);
  const limit = new SaveLimit(clock);
  await limit.during(clearFirst(runState, directory));
  await limit.during(makeDisksDirectory(paths));
  const live = withRawDisks(domainFromXml(await connection.getXml(domain)));
  const disks = await podDisks(vmi, live);
  runState.stoppedAtMs = undefined;
  const begun = await connection.migration.begin(domain, { params: [], flags: LIVE_FLAGS });
  const meta = {
    ...(await stateMeta(context, vmi, begun, disks, runState.userPaused)),
    leases: leasesOf(live),
  };
  let facts: { readonly sizeBytes: number; readonly pauseMilliseconds: number };
  try {
    const sizeBytes = await betweenFailPoints('memory-snapshot-save', () =>
      streamLive(context, domain, guestMemoryBytes(vmi.spec), { cookie: begun.cookie, limit }, (memory) =>
        writeState(paths.partial, keyOf(options), meta, memory, { isSynced: false }),
      ),
    );
    // The CPUs stopped within the stream; where that was not heard of, the pause is longer than what is told.
    const stoppedMs = runState.stoppedAtMs ?? clock.elapsed();
    await keepPodDisks(disks, paths.disks, limit);
    snapshot.change({ phase: 'Saved', sizeBytes });
    await context.observer.refresh();
    if ((vmi.spec.volumes ?? []).some((volume) => claimName(volume) !== undefined))
      await betweenFailPoints('memory-snapshot-hold', () => disksTaken(context, snapshot));
    await letGoOn(context, domain);
    facts = { sizeBytes, pauseMilliseconds: Math.round(clock.elapsed() - stoppedMs) };
  } catch (error) {
    await letGoOn(context, domain).catch((failure: unknown) =>
      context.log.error({ failure }, 'the guest does not go on after a failed snapshot'),
    );
    clearAfter(context, directory);
    await clearedOrLate(context);
    throw error;
  }
  const commit = betweenFailPoints('memory-snapshot-commit', async () => {
    await using file = await open(paths.partial, 'r');
    await file.sync();
    await commitState(directory, paths);
  });
  // A name that comes later is of no use to anybody: the snapshot has failed, and its claim goes.
  await limit.during(commit, facts.sizeBytes);
  return facts;
}

/** As a migration does it: passes over the memory while the guest runs, and a last one while it stands still. */
function streamLive(
  context: DomainContext,
  domain: DomainRef,
  memoryBytes: number,
  { cookie, limit }: { readonly cookie: Buffer; readonly limit: SaveLimit },
  write: (memory: AsyncIterable<Buffer>) => Promise<number>,
): Promise<number> {
  const { session, clock, log } = context;
  const follower = new Follower({
    source: session.connection,
    domain,
    limits: () => ({ deadlineMs: LIVE_MS, stallMs: LIVE_MS, mayPostCopy: false, mayPause: true }),
    maxDowntimeMs: undefined,
    isCancelled: () => context.runState.memorySnapshot?.unwanted.aborted === true,
    entered: () => log.info({}, 'the guest writes faster than it is saved, and stands still for the rest'),
    giveUp: async () => session.connection.suspend(domain),
    clock,
    log,
  });
  let sent = 0;
  let isStopped = false;
  const counted = async function* (memory: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of memory) {
      sent += chunk.length;
      yield chunk;
      if (sent < memoryBytes * LIVE_PASSES || isStopped) continue;
      isStopped = true;
      await session.connection.suspend(domain).catch(() => {}); // it stands still already
    }
  };
  const streamed = follower
    .allowFirstDowntime()
    .then(() =>
      streamGuest(context, domain, { cookie, flags: LIVE_FLAGS, limit }, (memory) => write(counted(memory))),
    );
  void follower.follow(streamed);
  const stop = (): void => void session.connection.migration.abortJob(domain).catch(() => {});
  context.runState.memorySnapshot?.unwanted.addEventListener('abort', stop, { once: true });
  return streamed;
}

/** Beside the guest, which goes on. */
function clearAfter({ runState, log }: DomainContext, directory: string): void {
  runState.clearing = clearStates(directory).catch((failure: unknown) =>
    log.warn({ error: messageOf(failure) }, 'a part of a snapshot is left on its claim'),
  );
}

/** "Cancelled": libvirt forgets the job and leaves the guest paused. Without libvirtd it does so itself. */
async function letGoOn(context: DomainContext, domain: DomainRef): Promise<void> {
  const step = { params: [], cookie: Buffer.alloc(0), flags: LIVE_FLAGS };
  await context.session.connection.migration.confirm(domain, step, true).catch(() => {});
  await applyOutcome(context, 'stayed', context.runState.userPaused, context.signal);
}
