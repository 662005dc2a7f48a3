/**
 * Whether a guest wakes from its state, and whether that state fits: judged before anything is loaded. A state that is
 * damaged, that is not there or does not fit is refused by name, and nothing of it changes.
 */
import { readdir } from 'node:fs/promises';
import { hibernatedStateOf, type SyncOptions, type VirtualMachineInstance } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { openState, StateDamaged, type StateReader } from '@podvisor/storage';
import type { Domain } from '@podvisor/translate';
import type { DomainContext } from '../domain-manager/context.ts';
import { type ChangedMac, changedMacs } from '../memory-snapshot/own-macs.ts';
import { diskLeases, leasesOf } from './disk-leases.ts';
import { differingBase, misfits } from './fit.ts';
import { reasonsAgainstCopy } from './fit-copy.ts';
import { claimsOf, hostCpuOf, parseMeta, type StateMeta } from './meta.ts';
import { bringPodDisks, podDisks } from './pod-disks.ts';
import { damaged, refusal } from './refusals.ts';
import { judgeState, spendState, type StatePaths, statePaths, triesOf } from './state-directory.ts';
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
function reasonsAgainst(
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
