/**
 * Wakes a guest from its state. To libvirt it is the target of a migration whose source is a file. The order:
 *
 *   1. The guest is loaded with its CPUs stopped.
 *   2. The leases of its disks are taken: nobody else may use them from here on.
 *   3. Its first sign of life is on the storage, and the switch that ends it is armed.
 *   4. The state is consumed, on disk: nobody else can load it.
 *   5. Its time is not over: only then its CPUs go on.
 *
 * Whatever fails before 4 leaves the state as it was, for the next try. What fails between 4 and 5 is undone by this
 * launcher, which knows that the guest executed nothing. After 5 the state is never loaded again: the disks have moved
 * on. A state that is damaged, that is not there or does not fit is refused by name, and nothing of it or of the disks
 * changes.
 */
import { betweenFailPoints, messageOf } from '@podvisor/base';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import type { DomainContext } from '../domain-manager/context.ts';
import { LauncherError } from '../launcher-error.ts';
import { withMacs } from '../memory-snapshot/own-macs.ts';
import { text } from '../migration/plan.ts';
import { feed } from './feed.ts';
import type { LoadableState } from './find-state.ts';
import { xmlFor } from './meta.ts';
import { damaged, refusal } from './refusals.ts';
import { STATE_FLAGS } from './save.ts';
import { ensureScript, openSharedMemory, type SharedMemory } from './shared-memory.ts';
import { consumeState, giveStateBack, noteTry, releaseState } from './state-directory.ts';

/**
 * Loads the guest. Resolves with a domain whose CPUs stand still, or leaves nothing behind. Memory that the node shows is
 * mapped; where that fails it is loaded.
 */
export async function loadState(
  context: DomainContext,
  connection: LibvirtConnection,
  state: LoadableState,
): Promise<DomainRef> {
  const { meta, built, macs, reader } = state;
  const xml = withMacs(xmlFor(meta, context.vmiUid, built), macs);
  const cookie = Buffer.from(meta.cookie, 'base64');
  await ensureScript(context.sharedMemory);
  const shared = state.hasSharedMemory ? await openSharedMemory(context.sharedMemory) : undefined;
  if (shared !== undefined) {
    try {
      await using used = shared;
      return await load(context, connection, { xml: used.xml(xml), cookie, memory: used.rest }, used);
    } catch (error) {
      context.log.warn(
        { error: messageOf(error) },
        'memory that copies share could not be used; it is loaded',
      );
    }
  }
  return load(context, connection, { xml, cookie, memory: () => reader.memory() });
}

interface Loading {
  readonly xml: string;
  /** Of libvirt's source. */
  readonly cookie: Buffer;
  memory(): AsyncIterable<Buffer>;
}

async function load(
  context: DomainContext,
  connection: LibvirtConnection,
  { xml, cookie, memory }: Loading,
  shared?: SharedMemory,
): Promise<DomainRef> {
  const path = context.stateSocket;
  const prepare = {
    params: [
      text('destination_xml', xml),
      // The same one, but for a copy that has another name than the guest that was saved.
      text('destination_name', context.domainName),
      text('migrate_uri', `unix://${path}`),
    ],
    cookie,
    flags: STATE_FLAGS,
  };
  await connection.migration.prepare(prepare).catch((error: unknown) => {
    throw refusal('StateDoesNotFit', messageOf(error));
  });
  // The source has nothing to add to what it said at the beginning.
  const finish = {
    params: [text('destination_name', context.domainName)],
    cookie: Buffer.alloc(0),
    flags: STATE_FLAGS,
  };
  try {
    await shared?.requireMapped(await context.qemuPid());
    await betweenFailPoints('wake-load', () => feed(path, memory()));
    const { domain } = await connection.migration.finish(finish, false);
    return domain;
  } catch (error) {
    // Ends the QEMU that waits; "successfully aborted" comes as an error.
    await connection.migration.finish(finish, true).catch(() => {});
    throw damaged(error);
  }
}

/** Call it before leases of disks are taken for the guest: another try can tell then that it did not run. */
export async function beginTake(
  { stateDirectory, vmiUid }: DomainContext,
  { id, isOfSnapshot }: LoadableState,
): Promise<void> {
  if (isOfSnapshot) await noteTry(stateDirectory, id, vmiUid);
}

/**
 * Nobody else can load the state from here on. Call it while the guest stands still and its lease is kept; the guest may
 * run when it returns. What it throws leaves the state as it was, where the storage lets it.
 */
export async function takeState(
  context: DomainContext,
  { paths, id, startTimestamp }: LoadableState,
): Promise<void> {
  const { stateDirectory, vmiUid: uid, runState, guestLease, log } = context;
  try {
    guestLease.requireTime();
    await betweenFailPoints('wake-take', () => consumeState(stateDirectory, paths, { id, uid }));
    guestLease.requireTime();
    if (runState.terminating) throw new LauncherError('the guest is not woken: its Pod is being terminated');
  } catch (error) {
    if (isNotThere(error)) throw untaken(error);
    await giveStateBack(stateDirectory, paths).catch((failure: unknown) => {
      if (!isNotThere(failure)) log.error({ failure }, 'a state is consumed although its guest did not run');
    });
    throw error;
  }
  runState.hibernation = { phase: 'Woken', id, startTimestamp };
}

/** The guest runs: what its state took on the claim is given back beside its first moments. */
export function letGoOfState({ log }: DomainContext, { paths }: LoadableState): void {
  void releaseState(paths).catch((error: unknown) =>
    log.warn({ error }, 'a state that is used up still takes its room on the claim'),
  );
}

function isNotThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/**
 * Only a state that is not there any more was taken by another. A storage that failed may have taken it or not: whoever
 * tries next reads it there. Pure.
 */
export function untaken(error: unknown): unknown {
  if (!isNotThere(error)) return error;
  return refusal('StateInUse', `another launcher has woken the guest (${messageOf(error)})`);
}
