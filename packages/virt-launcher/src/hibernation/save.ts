/**
 * Hibernates the guest: its CPUs stop, its memory and devices go to the claim, its QEMU ends. To libvirt it is a
 * migration whose other end is a file (decision 006: we drive the steps). Until the file is whole and on disk every
 * failure, and a storage that takes nothing for too long, lets the guest go on where it was; from then on it never goes
 * on here.
 */
import { isDirectory } from '../disks/is-directory.ts';
import { join } from 'node:path';
import {
  type DomainHibernation,
  hibernationVolume,
  type SyncOptions,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { betweenFailPoints, messageOf, rfc3339, sleep } from '@podvisor/base';
import { DOMAIN_STATE, type DomainRef, MIGRATE_FLAG } from '@podvisor/libvirt';
import { domainFromXml } from '@podvisor/translate';
import { withRawDisks } from '../backup/tracked-disks.ts';
import type { DomainContext, RunState } from '../domain-manager/context.ts';
import { explain, LauncherError } from '../launcher-error.ts';
import { applyOutcome } from '../migration/outcome/apply-outcome.ts';
import { claimsOf, hostCpuOf, type StateMeta } from './meta.ts';
import { SaveLimit } from './save-limit.ts';
import { keepPodDisks, type PodDisk, podDisks } from './pod-disks.ts';
import {
  clearBeforeGoingOn,
  clearStates,
  commitState,
  makeDisksDirectory,
  statePaths,
} from './state-directory.ts';
import { writeState } from '@podvisor/storage';
import { keyOf } from './state-key.ts';
import { streamGuest } from './stream.ts';

/** The guest is paused, and stays so until somebody says otherwise. Disks on claims are the same at both ends. */
export const STATE_FLAGS =
  MIGRATE_FLAG.changeProtection | MIGRATE_FLAG.paused | MIGRATE_FLAG.persistDestination | MIGRATE_FLAG.unsafe;

/** Between two tries to take a state away that its storage did not let go of. */
const CLEAR_AGAIN_MS = 1_000;
/** A storage that works has removed what is left by then. */
const CLEARED_MS = 5_000;

/** Begins a hibernation that the VMI asks for, once its claim is plugged in. It goes on by itself. */
export async function followHibernation(
  context: DomainContext,
  domain: DomainRef,
  vmi: VirtualMachineInstance,
  options: SyncOptions,
): Promise<void> {
  const volume = hibernationVolume(vmi.spec);
  const { runState } = context;
  if (volume === undefined) {
    if (runState.hibernation?.phase === 'Failed') runState.hibernation = undefined;
    return;
  }
  if (runState.hibernation?.phase === 'Saving' || runState.hibernation?.phase === 'Failed') return;
  const directory = join(context.builder.hotplugDirectory, volume.name);
  if (!(await isDirectory(directory))) return; // not plugged in yet; it comes with another sync
  const begun: DomainHibernation = {
    phase: 'Saving',
    id: context.vmiUid,
    startTimestamp: rfc3339(context.clock.now()),
  };
  runState.hibernation = begun;
  void hibernate(context, domain, vmi, directory, options, begun);
}

async function hibernate(
  context: DomainContext,
  domain: DomainRef,
  vmi: VirtualMachineInstance,
  directory: string,
  options: SyncOptions,
  begun: DomainHibernation,
): Promise<void> {
  const { runState, log, clock } = context;
  const wasPaused = runState.userPaused;
  const end = (part: Partial<DomainHibernation>): void => {
    runState.hibernation = { ...begun, endTimestamp: rfc3339(clock.now()), ...part };
  };
  try {
    await context.observer.refresh();
    const sizeBytes = await save(context, domain, vmi, directory, options);
    end({ phase: 'Saved', sizeBytes });
    log.info({ sizeBytes, ms: clock.now() - Date.parse(begun.startTimestamp) }, 'the guest is saved');
    // virt-handler hears of it before QEMU is gone.
    await context.observer.refresh();
    await betweenFailPoints('hibernation-end', () => endSaved(context, domain));
  } catch (error) {
    const { message } = explain('the guest could not be hibernated', error);
    log.warn({ error }, 'the guest was not hibernated and goes on');
    await applyOutcome(context, 'stayed', wasPaused, context.signal).catch((failure: unknown) =>
      log.error({ failure }, 'the guest does not go on after a failed hibernation'),
    );
    await clearedOrLate(context);
    end({ phase: 'Failed', message });
  }
  await context.observer.refresh();
}

/** QEMU ends. libvirt's own last step first; where that fails, it is ended all the same. */
async function endSaved(context: DomainContext, domain: DomainRef): Promise<void> {
  const step = { params: [], cookie: Buffer.alloc(0), flags: STATE_FLAGS };
  await context.session.connection.migration
    .confirm(domain, step, false)
    .catch((error: unknown) => context.log.warn({ error }, 'libvirt did not end the saved guest'));
  await applyOutcome(context, 'handed-over', true, context.signal);
}

async function save(
  context: DomainContext,
  domain: DomainRef,
  vmi: VirtualMachineInstance,
  directory: string,
  options: SyncOptions,
): Promise<number> {
  const { connection } = context.session;
  const { runState } = context;
  const limit = new SaveLimit(context.clock);
  const paths = statePaths(directory, context.vmiUid);
  await limit.during(clearFirst(runState, directory));
  const isPaused = runState.userPaused;
  await betweenFailPoints('hibernation-pause', async () => {
    if ((await connection.state(domain)).state !== DOMAIN_STATE.paused) await connection.suspend(domain);
  });
  const live = withRawDisks(domainFromXml(await connection.getXml(domain)));
  const disks = await podDisks(vmi, live);
  await limit.during(makeDisksDirectory(paths));
  await keepPodDisks(disks, paths.disks, limit);
  const begun = await connection.migration.begin(domain, { params: [], flags: STATE_FLAGS });
  const meta = await stateMeta(context, vmi, begun, disks, isPaused);
  let mayBeWhole = false;
  try {
    const sizeBytes = await streamGuest(
      context,
      domain,
      { cookie: begun.cookie, flags: STATE_FLAGS, limit },
      (memory) => writeState(paths.partial, keyOf(options), meta, memory),
    );
    mayBeWhole = true;
    await betweenFailPoints('hibernation-commit', () => commitState(directory, paths));
    return sizeBytes;
  } catch (error) {
    // "Cancelled": libvirt forgets the job and leaves the guest paused, as it was. Without libvirtd it does so itself.
    const step = { params: [], cookie: Buffer.alloc(0), flags: STATE_FLAGS };
    await connection.migration.confirm(domain, step, true).catch(() => {});
    const clear = (): Promise<void> => clearStates(directory);
    const left = (failure: unknown): void =>
      context.log.warn({ error: messageOf(failure), mayBeWhole }, 'a state is left on the claim');
    // Beside the guest, which goes on: what has no name yet cannot be loaded.
    if (!mayBeWhole) runState.clearing = clear().catch(left);
    else
      await clearBeforeGoingOn(clear, async (failure) => {
        left(failure);
        await sleep(context.clock, CLEAR_AGAIN_MS, context.signal);
      });
    throw error;
  }
}

/** Makes room for a state, when what is left of an earlier one is away: removed later, it might be this one. */
export async function clearFirst({ clearing }: RunState, directory: string): Promise<void> {
  await clearing;
  await clearStates(directory);
}

/** Before a failure is told, whereupon the claim is unplugged: nobody should be at it then. Not for ever: it may hang. */
export async function clearedOrLate({ runState, clock, signal }: DomainContext): Promise<void> {
  const late = sleep(clock, CLEARED_MS, signal).catch(() => {}); // the launcher ends
  await Promise.race([runState.clearing, late]);
}

/** What the file says about the guest besides its memory. `begun`: libvirt's first step. */
export async function stateMeta(
  { runState, session, vmiUid }: DomainContext,
  vmi: VirtualMachineInstance,
  begun: { readonly xml: string; readonly cookie: Buffer },
  disks: readonly PodDisk[],
  isPaused: boolean,
): Promise<StateMeta> {
  const { builtAs } = runState;
  if (builtAs === undefined) throw new LauncherError('it is not known what the guest was built from');
  const hostCpu = hostCpuOf(builtAs, await session.connection.capabilities());
  return {
    version: 1,
    vmiUid,
    xml: begun.xml,
    cookie: begun.cookie.toString('base64'),
    domain: builtAs,
    ...(hostCpu === undefined ? {} : { hostCpu }),
    isPaused,
    podDisks: disks,
    claims: claimsOf(vmi),
  };
}
