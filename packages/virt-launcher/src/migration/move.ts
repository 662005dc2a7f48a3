/**
 * Moves the guest, step by step, as the client of both libvirtds. libvirt could do it alone (peer to peer), but
 * then it resumes the source when the target's last answer is lost, although the guest may run there: two guests.
 * Here the source stays still until it is known where the guest runs. Decision 006.
 */
import {
  type DomainRef,
  ERROR_CODE,
  isLibvirtError,
  type LibvirtConnection,
  LibvirtError,
  MIGRATE_FLAG,
  type MigrationCookie,
  type TypedParam,
} from '@podvisor/libvirt';
import { diskParams, type MigrationPlan, text } from './plan.ts';

/** Paths of the sockets at both ends. */
export interface MigrationSockets {
  readonly memory: string;
  readonly disks: string;
}

export interface MoveIo {
  readonly source: LibvirtConnection;
  readonly target: LibvirtConnection;
  readonly domain: DomainRef;
  readonly plan: MigrationPlan;
  /** The domain as the target is to define it; absent: as it is. */
  readonly targetXml?: string;
  readonly sourceSockets: MigrationSockets;
  readonly targetSockets: MigrationSockets;
  /** Before the data moves, beside the start of the target's QEMU. */
  readonly beforeMoving: () => Promise<void>;
  /** Runs while the data moves. */
  readonly whileMoving: (moved: Promise<unknown>) => void;
  /** Throws when the migration is not wanted any more. Asked before each step that can be undone. */
  readonly checkWanted: () => void;
  /** The memory is split between both ends: there is no way back. */
  readonly isPostCopy: () => boolean;
  /** All of the guest is on the target now, and it stands still here. */
  readonly onMoved: () => void;
  /** The target's answer was lost. Resolves when it is known whether the guest runs there. */
  readonly decide: () => Promise<'runs' | 'gone'>;
  /** Post-copy broke. Resolves when it is known what became of the guest; `isFinishAsked`: the target was told to run it. */
  readonly recoverPostCopy: (error: unknown, isFinishAsked: boolean) => Promise<Outcome>;
  /** A step was done, in so many milliseconds. */
  readonly took: (step: string, ms: number) => void;
}

export type Outcome =
  /** The guest runs on the target. `confirm` ends its QEMU here, which takes libvirt a while; it never rejects. */
  | { readonly kind: 'handed-over'; readonly confirm: () => Promise<void> }
  /** The guest is where it was; the target has nothing. */
  | { readonly kind: 'stayed'; readonly error: unknown }
  /** Broken in post-copy, and one end is gone: nobody has the whole guest. */
  | { readonly kind: 'lost'; readonly error: unknown };

/** A target that does not answer in this time is cleaned up by the end of the connection. */
const CANCEL_MS = 5_000;
const NO_COOKIE: MigrationCookie = Buffer.alloc(0);

export async function move(io: MoveIo): Promise<Outcome> {
  const { source, target, domain, plan } = io;
  const { flags, targetFlags } = plan;
  const disks = diskParams(plan);
  /** The error, with the target's own words where it had failed before it was asked. */
  const cancelTarget = async (error: unknown): Promise<unknown> => {
    const params = [text('destination_name', domain.name)];
    const signal = AbortSignal.timeout(CANCEL_MS);
    const step = { params, cookie: NO_COOKIE, flags: targetFlags };
    // "Successfully aborted" comes as an error; and whatever the answer, closing the connection ends it there.
    const answer = await target.migration.finish(step, true, signal).catch((said: unknown) => said);
    const isNews = isLibvirtError(answer) && answer.code !== ERROR_CODE.migrateFinishOk;
    if (!isNews || !isLibvirtError(error, ERROR_CODE.operationFailed)) return error;
    return new LibvirtError(error.code, error.domain, `${error.message}; on the target: ${answer.message}`);
  };
  const release = (): Promise<void> =>
    // A begin that led to nothing; when libvirtd is away it forgets the job by itself.
    source.migration.confirm(domain, { params: disks, cookie: NO_COOKIE, flags }, true).catch(() => {});

  let begun: { readonly cookie: MigrationCookie; readonly xml: string };
  try {
    io.checkWanted();
    begun = await timed(
      io,
      'begin',
      source.migration.begin(domain, { params: [...disks, ...xmlParams(io.targetXml)], flags }),
    );
  } catch (error) {
    return { kind: 'stayed', error };
  }

  let cookie: MigrationCookie;
  try {
    const params = [...disks, text('destination_xml', begun.xml), ...uris(io.targetSockets, plan)];
    const step = { params, cookie: begun.cookie, flags: targetFlags };
    const prepared = timed(io, 'prepare', target.migration.prepare(step));
    [{ cookie }] = await Promise.all([prepared, io.beforeMoving()]);
  } catch (error) {
    await release();
    return { kind: 'stayed', error };
  }

  try {
    io.checkWanted();
  } catch (error) {
    await release();
    return { kind: 'stayed', error: await cancelTarget(error) };
  }

  try {
    const params = [...disks, ...uris(io.sourceSockets, plan), ...bandwidth(plan)];
    const moved = source.migration.perform(domain, { params, cookie, flags });
    io.whileMoving(moved);
    cookie = await timed(io, 'perform', moved);
  } catch (error) {
    const outcome: Outcome = io.isPostCopy()
      ? await io.recoverPostCopy(error, false)
      : { kind: 'stayed', error };
    return outcome.kind === 'stayed' ? { ...outcome, error: await cancelTarget(outcome.error) } : outcome;
  }

  io.onMoved();
  return finish(io, cookie);
}

/** From here on only the target's word counts. */
async function finish(io: MoveIo, moved: MigrationCookie): Promise<Outcome> {
  const { source, target, domain, plan } = io;
  const confirm = (cookie: MigrationCookie, isCancelled: boolean): Promise<void> =>
    // The caller ends what is left of it, or sees to it that the guest runs on.
    timed(
      io,
      'confirm',
      source.migration.confirm(domain, { params: [], cookie, flags: plan.flags }, isCancelled),
    ).catch(() => {});
  const handedOver = async (cookie: MigrationCookie): Promise<Outcome> => {
    // In post-copy libvirt waits here until the source has nothing left to send.
    if (io.isPostCopy()) await confirm(cookie, false);
    const isDone = io.isPostCopy();
    return { kind: 'handed-over', confirm: async () => (isDone ? undefined : confirm(cookie, false)) };
  };
  let finished: { readonly cookie: MigrationCookie };
  try {
    const params = [text('destination_name', domain.name)];
    const step = { params, cookie: moved, flags: plan.targetFlags };
    finished = await timed(io, 'finish', target.migration.finish(step, false));
  } catch (error) {
    if (io.isPostCopy()) return io.recoverPostCopy(error, true);
    // The target's libvirtd itself said no: it has ended the QEMU that it could not let run.
    const where = isLibvirtError(error) ? 'gone' : await io.decide();
    if (where === 'runs') return handedOver(NO_COOKIE);
    await confirm(NO_COOKIE, true);
    return { kind: 'stayed', error };
  }
  return handedOver(finished.cookie);
}

function xmlParams(xml: string | undefined): readonly TypedParam[] {
  return xml === undefined ? [] : [text('destination_xml', xml), text('persistent_xml', xml)];
}

/** Where a channel of a migration begins or ends. */
export function uris(sockets: MigrationSockets, plan: MigrationPlan): readonly TypedParam[] {
  return [
    text('migrate_uri', `unix://${sockets.memory}`),
    ...(plan.disks.length === 0 ? [] : [text('disks_uri', `unix://${sockets.disks}`)]),
  ];
}

/** The limit holds in post-copy too: it is the network's, whatever the guest would like. */
export function bandwidth({ bandwidthMiB, flags }: MigrationPlan): readonly TypedParam[] {
  if (bandwidthMiB === undefined) return [];
  const fields = (flags & MIGRATE_FLAG.postCopy) === 0 ? ['bandwidth'] : ['bandwidth', 'bandwidth.postcopy'];
  return fields.map((field) => ({ field, type: 'ullong', value: BigInt(bandwidthMiB) }));
}

async function timed<T>(io: MoveIo, name: string, step: Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await step;
  io.took(name, performance.now() - from);
  return result;
}
