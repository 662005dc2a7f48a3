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
import { readdir } from 'node:fs/promises';
import {
  hibernatedStateOf,
  type HibernationRefusal,
  refusalText,
  type SyncOptions,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { betweenFailPoints, messageOf, rfc3339 } from '@podvisor/base';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import type { Domain } from '@podvisor/translate';
import type { DomainContext } from '../domain-manager/context.ts';
import { LauncherError } from '../launcher-error.ts';
import { type ChangedMac, changedMacs, withMacs } from '../memory-snapshot/own-macs.ts';
import { text } from '../migration/plan.ts';
import { differingBase, misfits } from './fit.ts';
import { feed } from './feed.ts';
import { diskLeases, leasesOf } from './disk-leases.ts';
import { reasonsAgainstCopy } from './fit-copy.ts';
import { claimsOf, hostCpuOf, parseMeta, type StateMeta, xmlFor } from './meta.ts';
import { bringPodDisks, podDisks } from './pod-disks.ts';
import { STATE_FLAGS } from './save.ts';
import {
  consumeState,
  giveStateBack,
  judgeState,
  noteTry,
  releaseState,
  spendState,
  type StatePaths,
  statePaths,
  triesOf,
} from './state-directory.ts';
import { openState, StateDamaged, type StateReader } from '@podvisor/storage';
import { ensureScript, openSharedMemory, type SharedMemory } from './shared-memory.ts';
import { keyOf } from './state-key.ts';

/** A state that can be loaded. */
export interface LoadableState extends AsyncDisposable {
  readonly meta: StateMeta;
  readonly id: string;
  /** When it was begun to wake from it; RFC 3339. */
  readonly startTimestamp: string;
  /** It is of a snapshot: the disks are copies, which are judged by their leases. */
  readonly isOfSnapshot: boolean;
  /** The guest is a copy that is to be told from the others. */
  readonly newIdentity: boolean;
  /** MAC addresses that it gets with that identity. */
  readonly macs: readonly ChangedMac[];
  /** The domain that was built for it. */
  readonly built: Domain;
  readonly reader: StateReader;
  /** The node shows its memory, unpacked. */
  readonly hasSharedMemory: boolean;
  readonly paths: StatePaths;
}

/**
 * The state that the VMI is to wake from, when it fits the domain that was built for it. Undefined: it boots. Throws a
 * refusal. `runState.hibernation` says which of the two happened: here, or when the state is taken.
 */
export async function findState(
  context: DomainContext,
  vmi: VirtualMachineInstance,
  built: Domain,
  options: SyncOptions,
): Promise<LoadableState | undefined> {
  const wanted = hibernatedStateOf(vmi);
  if (wanted === undefined) return undefined;
  const { id } = wanted;
  const startTimestamp = rfc3339(context.clock.now());
  const names = await readdir(context.stateDirectory);
  const beginning = judgeState(names, wanted);
  if (beginning.kind === 'refuse') throw refusal(beginning.reason, beginning.why);
  const paths = statePaths(context.stateDirectory, id);
  if (beginning.kind === 'boot') {
    if (beginning.spends === true) await spendState(context.stateDirectory, paths);
    context.log.info({ why: beginning.why }, 'there is no state to wake from');
    context.runState.hibernation = { phase: 'Booted', id, startTimestamp, message: beginning.why };
    return undefined;
  }
  const reader = await openState(paths.whole, keyOf(options)).catch((error: unknown) => {
    throw damaged(error);
  });
  try {
    const meta = parseMeta(reader.meta);
    if (meta.vmiUid !== id) throw new StateDamaged('it is the state of another guest');
    const capabilities = await context.session.connection.capabilities();
    const now = {
      domain: built,
      hostCpu: hostCpuOf(built, capabilities),
      disks: await podDisks(vmi, built),
      claims: claimsOf(vmi),
      users: usersOf(built),
    };
    const { namespace = '', name = '' } = vmi.metadata ?? {};
    const isOfSnapshot = wanted.isOfSnapshot === true;
    const reasons = isOfSnapshot
      ? reasonsAgainstCopy(
          meta,
          { ...now, leases: leasesOf(built), tries: triesOf(names, id) },
          context.vmiUid,
        )
      : reasonsAgainst(meta, now, context.vmiUid, `${namespace}/${name}`);
    if (reasons.length > 0) throw refusal('StateDoesNotFit', reasons.join('; '));
    await bringPodDisks(meta.podDisks, paths.disks, now.disks);
    const newIdentity = wanted.newIdentity === true;
    return {
      meta,
      id,
      startTimestamp,
      isOfSnapshot,
      newIdentity,
      macs: newIdentity ? changedMacs(meta.domain, built) : [],
      built,
      reader,
      hasSharedMemory: options.hasSharedMemory === true,
      paths,
      [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
    };
  } catch (error) {
    await reader[Symbol.asyncDispose]();
    throw damaged(error);
  }
}

/** Pure. */
export function reasonsAgainst(
  meta: StateMeta,
  now: {
    readonly domain: Domain;
    readonly hostCpu: string | undefined;
    readonly disks: StateMeta['podDisks'];
    readonly claims: StateMeta['claims'];
    /** Who wrote to each disk last, by its lease: namespace and name. */
    readonly users: readonly (readonly [image: string, vmi: string])[];
  },
  vmiUid: string,
  vmiName: string,
): readonly string[] {
  const saved = JSON.parse(JSON.stringify(meta.domain).replaceAll(meta.vmiUid, vmiUid)) as Domain;
  return [
    ...misfits(saved, now.domain),
    ...Object.entries(meta.claims).flatMap(([volume, claim]) =>
      now.claims[volume] === claim
        ? []
        : [`volume ${volume} was on claim ${claim} and is on ${now.claims[volume] ?? 'none'}`],
    ),
    ...now.users.flatMap(([image, user]) =>
      user === vmiName ? [] : [`${user} has used the disk ${image} since`],
    ),
    ...(meta.hostCpu === now.hostCpu ? [] : ['the CPU of this node is not the one that the guest had']),
    ...differingBase(meta.podDisks, now.disks),
  ];
}

/** Who has the lease of each disk on a claim; disks without one are left out. */
function usersOf(domain: Domain): readonly (readonly [string, string])[] {
  return diskLeases(domain).map(([image, lease]) => [image, lease.holder.vmi] as const);
}

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

function refusal(reason: HibernationRefusal, why: string): LauncherError {
  return new LauncherError(refusalText(reason, why));
}

/** A damaged state is told as such; any other failure as it is, and tried again. */
function damaged(error: unknown): unknown {
  return error instanceof StateDamaged ? refusal('StateDamaged', error.message) : error;
}
