/** The migration controller: looks at the caches, lets `reconcile` decide, carries it out. */
import {
  isFinalMigrationPhase,
  labels,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { type Clock, isStatus } from '@podvisor/base';
import { type Expectations, type ReconcileResult, resources, type ControllerSteps } from '@podvisor/kube';
import type { VolumeView } from '../vmi/volumes.ts';
import type { Recorder } from '../recorder.ts';
import { applyMigrationAction, type MigrationClient } from './apply.ts';
import { outdatedMigrations } from './garbage.ts';
import { MigrationQueue, type QueueSources } from './queue.ts';
import type { MigrationObservation, MigrationPlan } from './plan.ts';
import { reconcileMigration } from './reconcile.ts';
import { placeOf } from './status.ts';
import type { HandOff } from './vmi-patches.ts';

type Migration = VirtualMachineInstanceMigration;
type Vmi = VirtualMachineInstance;

export interface MigrationControllerOptions {
  readonly client: MigrationClient;
  readonly recorder: Recorder;
  readonly expectations: Expectations;
  readonly clock: Clock;
  migration(key: string): Migration | undefined;
  /** Those of the cluster that have not ended. */
  openMigrations(): readonly Migration[];
  /** All migrations of a VMI, by `namespace/name`. */
  migrationsOf(vmiKey: string): readonly Migration[];
  vmi(key: string): Vmi | undefined;
  /** Launcher Pods in the cache that this VMI manages. */
  pods(vmi: Vmi): readonly Pod[];
  /** We have made the Pod for this VMI. */
  isOwnPod(pod: Pod, vmi: Vmi): boolean;
  /** Attachment Pods in the cache that this Pod owns. */
  attachmentPods(launcher: Pod): readonly Pod[];
  /** Claims and DataVolumes of a namespace. */
  volumes(namespace: string): VolumeView;
  readonly launcherImage: string;
  readonly limits: QueueSources['limits'];
  /** Settings for a migration of this VMI as they are now. */
  handOff(vmi: Vmi, target: Pod | undefined): HandOff;
  renderTarget(migration: Migration, vmi: Vmi): Pod;
  renderTargetState(migration: Migration, vmi: Vmi): PersistentVolumeClaim | undefined;
}

export class MigrationController implements ControllerSteps<MigrationObservation, MigrationPlan> {
  readonly #options: MigrationControllerOptions;
  readonly #queue: MigrationQueue;

  constructor(options: MigrationControllerOptions) {
    this.#options = options;
    const { openMigrations, migrationsOf, vmi, limits } = options;
    this.#queue = new MigrationQueue({
      open: openMigrations,
      siblings: (migration) => migrationsOf(vmiKeyOf(migration)),
      sourceNode: (migration) => vmi(vmiKeyOf(migration))?.status?.nodeName,
      hasTarget: (migration) => {
        const moved = vmi(vmiKeyOf(migration));
        return moved !== undefined && this.#targetPod(migration, options.pods(moved)) !== undefined;
      },
      limits,
    });
  }

  observe(key: string): MigrationObservation | undefined {
    const migration = this.#options.migration(key);
    return migration === undefined ? undefined : this.#observe(migration);
  }

  plan(observed: MigrationObservation): MigrationPlan {
    return reconcileMigration(observed);
  }

  async prove(
    observed: MigrationObservation,
    plan: MigrationPlan,
    signal: AbortSignal,
  ): Promise<MigrationObservation | undefined> {
    if (!plan.needsProof) return undefined;
    return { ...observed, ...(await this.#read(observed.migration, signal)), proven: true };
  }

  async apply(
    plan: MigrationPlan,
    observed: MigrationObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { migration } = observed;
    let requeueAfterMs = plan.requeueAfterMs;
    if (plan.actions.some(({ kind }) => kind === 'createTarget')) this.#queue.letThrough(migration);
    for (const action of plan.actions) {
      try {
        const context = { ...this.#options, nowMs: observed.nowMs };
        requeueAfterMs =
          (await applyMigrationAction(migration, observed.vmi, action, context, signal)) ?? requeueAfterMs;
      } catch (error) {
        if (action.kind === 'createTarget') this.#queue.forget(migration);
        throw error;
      }
    }
    if (isFinalMigrationPhase(migration.status?.phase)) await this.#afterEnd(migration, signal);
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  }

  /** The object is gone from the cache. */
  forget(migration: Migration): void {
    this.#queue.forget(migration);
    this.#options.expectations.forget(migration.metadata?.uid ?? '');
  }

  #observe(migration: Migration): MigrationObservation {
    const { attachmentPods, clock, expectations, handOff, pods, vmi: find, volumes } = this.#options;
    const vmi = find(vmiKeyOf(migration));
    const all = vmi === undefined ? [] : pods(vmi);
    const targetPod = this.#targetPod(migration, all);
    return {
      migration,
      vmi,
      pods: all,
      targetPod,
      targetAttachments: targetPod === undefined ? [] : attachmentPods(targetPod),
      volumes: volumes(migration.metadata?.namespace ?? ''),
      proven: false,
      cacheCaughtUp: expectations.satisfied(migration.metadata?.uid ?? ''),
      busyWith: this.#busyWith(migration),
      // Who has a target already does not ask.
      turn:
        placeOf(migration.status?.phase) > placeOf('Pending')
          ? { kind: 'go' }
          : this.#queue.turn(migration, clock.now()),
      handOff:
        vmi === undefined
          ? { configuration: {}, policyName: undefined, memoryOverhead: undefined }
          : handOff(vmi, targetPod),
      nowMs: clock.now(),
    };
  }

  /** Another migration of the VMI that has not ended and goes first: one that has begun, else an older one. */
  #busyWith(migration: Migration): Migration | undefined {
    const others = this.#options
      .migrationsOf(vmiKeyOf(migration))
      .filter(
        ({ metadata, status }) =>
          metadata?.uid !== migration.metadata?.uid && !isFinalMigrationPhase(status?.phase),
      );
    const begun = others.find((other) => this.#queue.isActive(other));
    return begun ?? others.find((other) => age(other) < age(migration));
  }

  #targetPod({ metadata }: Migration, pods: readonly Pod[]): Pod | undefined {
    return pods.find((pod) => pod.metadata.labels?.[labels.migrationJobUID] === metadata?.uid);
  }

  /** Reads without a resourceVersion are answered from the newest state, not from a cache. */
  async #read(
    migration: Migration,
    signal: AbortSignal,
  ): Promise<Pick<MigrationObservation, 'vmi' | 'pods' | 'targetPod'>> {
    const { client } = this.#options;
    const { namespace } = migration.metadata ?? {};
    const key = { namespace, name: migration.spec.vmiName ?? '' };
    const vmi = await client.find(resources.virtualMachineInstances, key, signal);
    if (vmi === undefined) return { vmi, pods: [], targetPod: undefined };
    const labelSelector = `${labels.createdBy}=${vmi.metadata?.uid}`;
    const { items } = await client.list(resources.pods, { namespace, labelSelector }, signal);
    const pods = items.filter((pod) => this.#options.isOwnPod(pod, vmi));
    return { vmi, pods, targetPod: this.#targetPod(migration, pods) };
  }

  async #afterEnd(migration: Migration, signal: AbortSignal): Promise<void> {
    this.#queue.forget(migration);
    const { client, migrationsOf } = this.#options;
    for (const { metadata } of outdatedMigrations(migrationsOf(vmiKeyOf(migration)))) {
      const { namespace, name = '', uid } = metadata ?? {};
      try {
        const options = { preconditions: { uid } };
        await client.delete(resources.virtualMachineInstanceMigrations, { namespace, name }, options, signal);
      } catch (error) {
        if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
      }
    }
  }
}

/** `namespace/name` of the VMI that a migration moves. */
export function vmiKeyOf({ metadata, spec }: Migration): string {
  return `${metadata?.namespace}/${spec.vmiName ?? ''}`;
}

/** Sorts by creation; the UID decides within a second. */
function age({ metadata }: Migration): string {
  return `${metadata?.creationTimestamp ?? ''} ${metadata?.uid ?? ''}`;
}
