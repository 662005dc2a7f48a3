/** Carries out the migration controller's actions. */
import {
  annotations,
  finalizers,
  isLauncherOf,
  MIGRATION_REPORT_ANNOTATION,
  migrationConditions,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { assertNever, isStatus, messageOf } from '@podvisor/base';
import {
  type Expectations,
  type JsonPatchOperation,
  type KubeClient,
  resources,
  patchGuarded,
  guardedChange,
  ignoreNotFound,
} from '@podvisor/kube';
import type { StateClaimsEnd } from '../backend-storage/hand-over.ts';
import { STATE_LABEL } from '../backend-storage/state-claim.ts';
import { buildAttachmentPod } from '../volumes/attachment-pod.ts';
import type { Recorder } from '../recorder.ts';
import { migrationEvents } from './events.ts';
import type { MigrationAction } from './plan.ts';
import { inPhase, withCondition } from './status.ts';

type Migration = VirtualMachineInstanceMigration;
type Vmi = VirtualMachineInstance;

export type MigrationClient = Pick<
  KubeClient,
  'find' | 'list' | 'create' | 'updateStatus' | 'patch' | 'delete'
>;

export interface MigrationApplyContext {
  readonly client: MigrationClient;
  readonly recorder: Recorder;
  /** By the migration's UID. */
  readonly expectations: Expectations;
  /** The target Pod's manifest. Throws when the VMI cannot be translated. */
  renderTarget(migration: Migration, vmi: Vmi): Pod;
  /** The claim of the target's state, when it has to be made. */
  renderTargetState(migration: Migration, vmi: Vmi): PersistentVolumeClaim | undefined;
  /** Attachment Pods in the cache that this Pod owns. */
  attachmentPods(launcher: Pod): readonly Pod[];
  readonly launcherImage: string;
  readonly nowMs: number;
}

/** A target that a quota refuses is tried again this often; a change of the quota is not waited for. */
const QUOTA_RETRY_MS = 20_000;

/** Runs one action. Gives a time after which to look again, if the action asks for one. */
export async function applyMigrationAction(
  migration: Migration,
  vmi: Vmi | undefined,
  action: MigrationAction,
  context: MigrationApplyContext,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { client, recorder } = context;
  switch (action.kind) {
    case 'createTarget':
      return vmi === undefined ? undefined : createTarget(migration, vmi, context, signal);
    case 'createAttachment':
      if (vmi !== undefined) await createAttachment(migration, vmi, action, context, signal);
      return undefined;
    case 'deletePod':
      await deletePod(migration, action.pod, context, signal);
      return undefined;
    case 'markTargetReady': {
      const { namespace, name = '', uid } = action.pod.metadata;
      const own = { [annotations.migrationTargetReadyTimestamp]: action.at };
      const body = { metadata: { uid, annotations: own } };
      await client.patch(resources.pods, { namespace, name }, { type: 'merge', body }, signal);
      return undefined;
    }
    case 'patchVmi': {
      const key = { namespace: vmi?.metadata?.namespace, name: vmi?.metadata?.name ?? '' };
      await patchGuarded(client, resources.virtualMachineInstances, key, action.patch, signal);
      return undefined;
    }
    case 'endStateClaims':
      await endStateClaims(migration, action.end, context, signal);
      return undefined;
    case 'status':
      await client.updateStatus(
        resources.virtualMachineInstanceMigrations,
        { ...migration, status: action.status },
        {},
        signal,
      );
      return undefined;
    case 'release':
      await release(migration, action.report, context, signal);
      return undefined;
    case 'event':
      recorder.event(migration, ...action.event);
      if (vmi !== undefined && TOLD_TO_VMI.has(action.event[1])) recorder.event(vmi, ...action.event);
      return undefined;
    default:
      return assertNever(action);
  }
}

/** What a VMI's own story must not leave out. */
const TOLD_TO_VMI: ReadonlySet<string> = new Set([
  'AddressChanges',
  'FailedMigration',
  'SuccessfulMigration',
]);

async function createTarget(
  migration: Migration,
  vmi: Vmi,
  context: MigrationApplyContext,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { client, recorder, expectations } = context;
  const uid = migration.metadata?.uid ?? '';
  const pod = context.renderTarget(migration, vmi);
  const state = context.renderTargetState(migration, vmi);
  if (state !== undefined)
    await client.create(resources.persistentVolumeClaims, state, {}, signal).catch((error: unknown) => {
      if (!isStatus(error, 'AlreadyExists')) throw error; // our own earlier attempt
    });
  expectations.expectCreations(uid, 1);
  try {
    await client.create(resources.pods, pod, {}, signal);
  } catch (error) {
    expectations.creationObserved(uid);
    if (isStatus(error, 'AlreadyExists')) {
      // Our own earlier attempt, whose answer was lost: the cache will show it.
      const key = { namespace: pod.metadata.namespace, name: pod.metadata.name ?? '' };
      const existing = await client.find(resources.pods, key, signal);
      if (existing !== undefined && isLauncherOf(existing, vmi)) return undefined;
    }
    if (!isStatus(error, 'Forbidden') || !messageOf(error).includes('exceeded quota')) {
      recorder.event(migration, ...migrationEvents.podCreateFailed(messageOf(error)));
      throw error;
    }
    await tellQuota(migration, messageOf(error), context, signal);
    return QUOTA_RETRY_MS;
  }
  recorder.event(migration, ...migrationEvents.podCreated(pod.metadata.name ?? ''));
  return undefined;
}

/** First the claim that counts gets its label, so that there is one at every moment. */
async function endStateClaims(
  { metadata, spec }: Migration,
  end: StateClaimsEnd,
  { client }: MigrationApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const claims = resources.persistentVolumeClaims;
  const { namespace } = metadata ?? {};
  if (end.kind === 'keep') {
    const body = { metadata: { labels: { [STATE_LABEL]: spec.vmiName ?? '' } } };
    await client.patch(claims, { namespace, name: end.claim }, { type: 'merge', body }, signal);
  }
  const name = end.kind === 'keep' ? end.instead : end.claim;
  await ignoreNotFound(client.delete(claims, { namespace, name }, {}, signal));
}

async function createAttachment(
  migration: Migration,
  vmi: Vmi,
  { target, claims }: Extract<MigrationAction, { readonly kind: 'createAttachment' }>,
  { client, recorder, attachmentPods, launcherImage }: MigrationApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const others = attachmentPods(target);
  const pod = buildAttachmentPod({ vmi, launcher: target, claims, others, launcherImage });
  try {
    await client.create(resources.pods, pod, {}, signal);
  } catch (error) {
    if (isStatus(error, 'AlreadyExists')) return; // our own, which the cache does not show yet
    recorder.event(migration, ...migrationEvents.attachmentFailed(messageOf(error)));
    throw error;
  }
  const volumes = claims.map(({ volume }) => volume).join(', ');
  recorder.event(migration, ...migrationEvents.attachmentCreated(pod.metadata.name ?? '', volumes));
}

async function tellQuota(
  migration: Migration,
  cause: string,
  { client, recorder, nowMs }: MigrationApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const type = migrationConditions.rejectedByResourceQuota;
  if (migration.status?.conditions?.some((c) => c.type === type && c.message === cause)) return;
  const pending = inPhase(migration, 'Pending', nowMs);
  const status = withCondition(pending, type, 'ResourceQuotaExceeded', cause, nowMs);
  const next = { ...migration, status };
  await client.updateStatus(resources.virtualMachineInstanceMigrations, next, {}, signal);
  recorder.event(migration, ...migrationEvents.podCreateFailed(cause));
}

async function deletePod(
  migration: Migration,
  pod: Pod,
  { client, recorder }: MigrationApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '', uid } = pod.metadata;
  try {
    await client.delete(resources.pods, { namespace, name }, { preconditions: { uid } }, signal);
  } catch (error) {
    if (!isStatus(error, 'NotFound')) throw error;
    return;
  }
  recorder.event(migration, ...migrationEvents.podDeleted(name));
}

async function release(
  migration: Migration,
  report: string | undefined,
  { client }: MigrationApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { finalizers: present = [], namespace, name = '', annotations: own } = migration.metadata ?? {};
  const kept = present.filter((finalizer) => finalizer !== finalizers.migration);
  const body: readonly JsonPatchOperation[] = [
    ...guardedChange('/metadata/finalizers', present, kept),
    ...(report === undefined
      ? []
      : [
          {
            op: 'add',
            path: '/metadata/annotations',
            value: { ...own, [MIGRATION_REPORT_ANNOTATION]: report },
          } as const,
        ]),
  ];
  const key = { namespace, name };
  await ignoreNotFound(patchGuarded(client, resources.virtualMachineInstanceMigrations, key, body, signal));
}
