/** Rolls a Deployment's template out through ReplicaSets. */
import {
  controllerKey,
  controllerOf,
  type Deployment,
  foundController,
  isControlledBy,
  type Pod,
  type ReplicaSet,
  withoutOwner,
  withOwner,
  isPodEnded,
} from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import {
  EventRecorder,
  type Informer,
  keyOf,
  type ReconcileResult,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import { standsForProcess } from '@podvisor/home-contract';
import type { ControllerOptions } from '../controller-options.ts';
import { claim, controlledBy, managedBy } from '../workloads/ownership.ts';
import { workloads } from '../workloads/resources.ts';
import { sameTemplate } from '../workloads/template-hash.ts';
import { writeStatus } from '../workloads/write-status.ts';
import {
  DESIRED,
  expiredReplicaSets,
  inheritedAnnotations,
  MAX,
  newReplicaSet,
  nextRevision,
  renderReplicaSet,
  REVISION,
  revisionOf,
} from './revisions.ts';
import {
  firstSize,
  isScaling,
  limitsOf,
  recreateSteps,
  rollingSteps,
  scaleSteps,
  type ScaleStep,
  sizeOf,
} from './rollout.ts';
import { deadlineInMs, deploymentStatus, isComplete } from './status.ts';

export interface DeploymentControllerOptions extends ControllerOptions {
  readonly deployments: Informer<Deployment>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

export function deploymentController(options: DeploymentControllerOptions): TableController {
  const { clock, log, client } = options;
  const events = new EventRecorder({ client, component: 'deployment-controller', clock, log });
  const rollout = new Rollout(options, events);
  return {
    name: 'deployment',
    workers: 4,
    connect: (wake) => listen(options, wake),
    reconcile: (key, end) => rollout.reconcile(key, end),
  };
}

function listen({ deployments, replicaSets, pods }: DeploymentControllerOptions, wakeKey: Wake): void {
  const look = (deployment: Deployment): void => wakeKey(keyOf(deployment));
  const wake = (set: ReplicaSet): void => {
    const key = controllerKey(set, workloads.deployments);
    if (key !== undefined) wakeKey(key);
    if (controllerOf(set) !== undefined) return;
    for (const deployment of deployments.byIndex('namespace', set.metadata.namespace ?? ''))
      if (claim(workloads.deployments, deployment, deployment.spec.selector, [set]).adopt.length > 0)
        look(deployment);
  };
  deployments.on({ add: look, update: look, delete: look });
  replicaSets.on({ add: wake, update: wake, delete: wake });
  pods.on({
    // Recreate waits for the last Pod of the old sets.
    delete: (pod) => {
      const set = foundController(pod, workloads.replicaSets, (key) => replicaSets.get(key));
      if (set !== undefined) wake(set);
    },
  });
}

class Rollout {
  readonly #options: DeploymentControllerOptions;
  readonly #events: EventRecorder;

  constructor(options: DeploymentControllerOptions, events: EventRecorder) {
    this.#options = options;
    this.#events = events;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { deployments, client, clock } = this.#options;
    let deployment = deployments.get(key);
    if (deployment === undefined || Object.keys(deployment.spec.selector ?? {}).length === 0) return;
    if (standsForProcess(deployment)) return;
    const sets = await this.#claimed(deployment, signal);
    let newest = newReplicaSet(deployment, sets);
    const old = sets.filter((set) => set !== newest);
    let created: string | undefined;
    if (deployment.metadata.deletionTimestamp === undefined) {
      const resized = deployment.spec.paused === true || isScaling(deployment, sets);
      if (!resized && newest === undefined) {
        newest = await this.#create(deployment, sets, old, signal);
        if (newest === undefined) return { requeueAfterMs: 10 };
        created = newest.metadata.name;
      }
      if (newest !== undefined)
        ({ newest, deployment } = await this.#numbered(deployment, sets, newest, signal));
      const steps = resized ? scaleSteps(deployment, newest, old) : this.#steps(deployment, newest, old);
      for (const step of steps) await this.#scale(deployment, step, signal);
      if (resized)
        await this.#markSized(deployment, [...old, ...(newest === undefined ? [] : [newest])], steps, signal);
    }
    const status = deploymentStatus(deployment, { newest, old, now: clock.now(), created });
    await writeStatus(client, workloads.deployments, deployment, status, signal);
    if (deployment.metadata.deletionTimestamp === undefined && isComplete(deployment, status))
      await this.#expire(deployment, old, signal);
    const requeueAfterMs = deadlineInMs(deployment, status, clock.now());
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  }

  #steps(deployment: Deployment, newest: ReplicaSet | undefined, old: readonly ReplicaSet[]): ScaleStep[] {
    if (newest === undefined) return [];
    if (deployment.spec.strategy?.type !== 'Recreate') return rollingSteps(deployment, newest, old);
    const { pods } = this.#options;
    const left = old
      .flatMap((set) => managedBy(pods, workloads.replicaSets, set))
      .filter((pod) => !isPodEnded(pod));
    return recreateSteps(deployment, newest, old, left.length);
  }

  async #claimed(deployment: Deployment, signal: AbortSignal): Promise<ReplicaSet[]> {
    const { client, replicaSets } = this.#options;
    const candidates = replicaSets.byIndex('namespace', deployment.metadata.namespace ?? '');
    const { owned, adopt, release } = claim(
      workloads.deployments,
      deployment,
      deployment.spec.selector,
      candidates,
    );
    const patch = (set: ReplicaSet, ownerReferences: readonly object[]): Promise<ReplicaSet> =>
      client.patch(
        workloads.replicaSets,
        nameOf(set),
        { type: 'merge', body: { metadata: { uid: set.metadata.uid, ownerReferences } } },
        signal,
      );
    for (const set of release) await patch(set, withoutOwner(set, deployment));
    const adopted = [];
    for (const set of adopt)
      adopted.push(await patch(set, withOwner(set, controlledBy(workloads.deployments, deployment))));
    return [...owned, ...adopted].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** Undefined: the cache is behind, or the name is taken by another template; look again. */
  async #create(
    deployment: Deployment,
    sets: readonly ReplicaSet[],
    old: readonly ReplicaSet[],
    signal: AbortSignal,
  ): Promise<ReplicaSet | undefined> {
    const { client } = this.#options;
    const { replicas, maxSurge } = limitsOf(deployment);
    const size = firstSize(deployment, old);
    const wanted = renderReplicaSet(deployment, size, nextRevision(sets, undefined), replicas + maxSurge);
    try {
      const made = await client.create(workloads.replicaSets, wanted, {}, signal);
      if (size > 0) this.#tell(deployment, 'up', made, 0, size);
      return made;
    } catch (error) {
      if (!isStatus(error, 'AlreadyExists')) throw error;
      const found = await client.find(workloads.replicaSets, nameOf(wanted), signal);
      const isOurs = found !== undefined && isControlledBy(found, deployment, workloads.deployments);
      if (found === undefined || (isOurs && sameTemplate(found.spec.template, wanted.spec.template)))
        return found;
      const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
      await client.updateStatus(
        workloads.deployments,
        { ...deployment, status: { ...deployment.status, collisionCount } },
        {},
        signal,
      );
      return undefined;
    }
  }

  /** The newest set and the Deployment carry the number of the revision; a set that comes back gets a new one. */
  async #numbered(
    deployment: Deployment,
    sets: readonly ReplicaSet[],
    newest: ReplicaSet,
    signal: AbortSignal,
  ): Promise<{ readonly newest: ReplicaSet; readonly deployment: Deployment }> {
    const { client } = this.#options;
    const others = sets.filter(({ metadata }) => metadata.uid !== newest.metadata.uid);
    const highest = Math.max(0, ...others.map(revisionOf));
    const revision = String(revisionOf(newest) > highest ? revisionOf(newest) : highest + 1);
    const { replicas, maxSurge } = limitsOf(deployment);
    const annotations = {
      ...inheritedAnnotations(deployment),
      [REVISION]: revision,
      ...(isScaling(deployment, sets)
        ? {}
        : { [DESIRED]: String(replicas), [MAX]: String(replicas + maxSurge) }),
    };
    let current = newest;
    const minReady = deployment.spec.minReadySeconds ?? 0;
    if (
      hasOther(newest.metadata.annotations, annotations) ||
      (newest.spec.minReadySeconds ?? 0) !== minReady
    ) {
      const body = { metadata: { annotations }, spec: { minReadySeconds: minReady } };
      current = await client.patch(workloads.replicaSets, nameOf(newest), { type: 'merge', body }, signal);
    }
    if (deployment.metadata.annotations?.[REVISION] === revision) return { newest: current, deployment };
    const body = { metadata: { annotations: { [REVISION]: revision } } };
    const written = await client.patch(
      workloads.deployments,
      nameOf(deployment),
      { type: 'merge', body },
      signal,
    );
    return { newest: current, deployment: written };
  }

  async #scale(deployment: Deployment, { set, replicas }: ScaleStep, signal: AbortSignal): Promise<void> {
    if (sizeOf(set) === replicas) return;
    const { client } = this.#options;
    const limits = limitsOf(deployment);
    const annotations = {
      [DESIRED]: String(limits.replicas),
      [MAX]: String(limits.replicas + limits.maxSurge),
    };
    const body = { metadata: { annotations }, spec: { replicas } };
    await client.patch(workloads.replicaSets, nameOf(set), { type: 'merge', body }, signal);
    this.#tell(deployment, replicas > sizeOf(set) ? 'up' : 'down', set, sizeOf(set), replicas);
  }

  /** Sets whose size did not change must know, too, that the new number was taken into account. */
  async #markSized(
    deployment: Deployment,
    sets: readonly ReplicaSet[],
    steps: readonly ScaleStep[],
    signal: AbortSignal,
  ): Promise<void> {
    const { client } = this.#options;
    const limits = limitsOf(deployment);
    const annotations = {
      [DESIRED]: String(limits.replicas),
      [MAX]: String(limits.replicas + limits.maxSurge),
    };
    for (const set of sets) {
      const changed = steps.some((step) => step.set === set && step.replicas !== sizeOf(set));
      if (changed || sizeOf(set) === 0 || !hasOther(set.metadata.annotations, annotations)) continue;
      await client.patch(
        workloads.replicaSets,
        nameOf(set),
        { type: 'merge', body: { metadata: { annotations } } },
        signal,
      );
    }
  }

  #tell(deployment: Deployment, direction: 'up' | 'down', set: ReplicaSet, from: number, to: number): void {
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${to}`;
    this.#events.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  }

  async #expire(deployment: Deployment, old: readonly ReplicaSet[], signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    for (const set of expiredReplicaSets(deployment, old)) {
      try {
        await client.delete(
          workloads.replicaSets,
          nameOf(set),
          { preconditions: { uid: set.metadata.uid } },
          signal,
        );
      } catch (error) {
        if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
      }
    }
  }
}

function hasOther(
  have: Readonly<Record<string, string>> = {},
  wanted: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).some(([key, value]) => have[key] !== value);
}

function nameOf({ metadata: { namespace, name = '' } }: Deployment | ReplicaSet): {
  namespace?: string;
  name: string;
} {
  return { namespace, name };
}
