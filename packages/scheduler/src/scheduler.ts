/**
 * Puts Pods on nodes. Driven by events alone: a new Pod is tried at once; Pods that did not fit are tried
 * again when a node, a Pod or a volume changes in a way that could matter. Deciding is pure (`decide.ts`)
 * and one at a time; bindings go out side by side.
 */
import { type Node, type Pod, isPodEnded } from '@podvisor/api';
import { backoffMs, type Clock, deepEqual, isStatus, messageOf } from '@podvisor/base';
import {
  EventRecorder,
  type Informer,
  keyOf,
  type KubeClient,
  type Log,
  resources,
  type SharedInformers,
} from '@podvisor/kube';
import { decide } from './decide.ts';
import { PendingPods } from './pending-pods.ts';
import { SchedulerCache } from './scheduler-cache.ts';
import { gatesOf, isPending, notScheduled } from './status.ts';
import type { ClusterView, Decision } from './types.ts';

export interface SchedulerOptions {
  readonly client: KubeClient;
  /** Started by whoever owns them. */
  readonly informers: SharedInformers;
  readonly clock: Clock;
  readonly log: Log;
}

/** Changes that come together are answered together. */
const SETTLE_MS = 10;
const PODS_PER_TURN = 32;
/** A Pod whose binding or status could not be written. */
const RETRY = { firstMs: 200, maxMs: 10_000 };

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #cache = new SchedulerCache();
  readonly #pending = new PendingPods();
  readonly #failures = new Map<string, number>();
  readonly #events: EventRecorder;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #claims;
  readonly #volumes;
  readonly #namespaces;
  #ready = false;
  /** Taken and not yet tried, the most important at the end. */
  #batch: Pod[] = [];
  #passAsked = false;
  #settling = false;

  constructor(options: SchedulerOptions) {
    const { client, informers, clock, log } = options;
    this.#options = options;
    this.#events = new EventRecorder({ client, component: 'default-scheduler', clock, log });
    this.#pods = informers.of(resources.pods);
    this.#nodes = informers.of(resources.nodes);
    this.#claims = informers.of(resources.persistentVolumeClaims);
    this.#volumes = informers.of(resources.persistentVolumes);
    this.#namespaces = informers.of(resources.namespaces);
  }

  /** Works as long as its informers do; resolves when the first state is known. */
  async start(): Promise<void> {
    this.#watchChanges();
    const informers = [this.#pods, this.#nodes, this.#claims, this.#volumes, this.#namespaces];
    await Promise.all(informers.map((informer) => informer.synced()));
    this.#ready = true;
    this.#askForPass();
  }

  #watchChanges(): void {
    this.#pods.on({
      add: (pod) => this.#podChanged(pod),
      update: (pod, old) => this.#podChanged(pod, old),
      delete: (pod) => {
        this.#pending.remove(keyOf(pod));
        // Of many Pods that fit nowhere and are deleted, each would have all others tried again.
        if (this.#cache.removePod(keyOf(pod))) this.#somethingChanged();
      },
    });
    this.#nodes.on({
      add: (node) => {
        this.#cache.setNode(node);
        this.#somethingChanged();
      },
      update: (node, old) => {
        this.#cache.setNode(node);
        if (offersChanged(node, old)) this.#somethingChanged();
      },
      delete: (node) => this.#cache.removeNode(node.metadata.name ?? ''),
    });
    const changed = { add: () => this.#somethingChanged(), update: () => this.#somethingChanged() };
    this.#claims.on(changed);
    this.#volumes.on(changed);
  }

  #podChanged(pod: Pod, old?: Pod): void {
    this.#cache.setPod(pod);
    const key = keyOf(pod);
    if (!isPending(pod)) {
      this.#pending.remove(key);
      const madeRoom =
        isPodEnded(pod) || (old !== undefined && !deepEqual(old.metadata.labels, pod.metadata.labels));
      // A Pod that was just bound may be the company that another one waits for.
      const arrived =
        old !== undefined && (old.spec.nodeName ?? '') === '' && (pod.spec.nodeName ?? '') !== '';
      if (madeRoom || arrived) this.#somethingChanged();
      return;
    }
    // Our own status writes are no reason to try again.
    if (
      old !== undefined &&
      deepEqual(old.spec, pod.spec) &&
      deepEqual(old.metadata.labels, pod.metadata.labels)
    )
      return;
    this.#pending.add(key);
    this.#askForPass();
  }

  #somethingChanged(): void {
    if (this.#settling) return;
    this.#settling = true;
    this.#options.clock.after(SETTLE_MS, () => {
      this.#settling = false;
      if (this.#pending.unpark()) this.#askForPass();
    });
  }

  #askForPass(): void {
    if (!this.#ready || this.#passAsked) return;
    this.#passAsked = true;
    queueMicrotask(() => this.#pass());
  }

  /** A few Pods a turn: the API server of the embedded home lives in the same event loop. */
  #pass(): void {
    if (this.#batch.length === 0) this.#batch = this.#pending.take((key) => this.#pods.get(key)).reverse();
    for (let count = 0; count < PODS_PER_TURN; count += 1) {
      const pod = this.#batch.pop();
      if (pod === undefined) break;
      // It may have changed while it waited for its turn.
      const current = this.#pods.get(keyOf(pod));
      if (current !== undefined) this.#schedule(current);
    }
    if (this.#batch.length > 0 || this.#pending.hasActive) {
      setImmediate(() => this.#pass());
      return;
    }
    this.#passAsked = false;
  }

  #schedule(pod: Pod): void {
    if (!isPending(pod)) return;
    const gates = gatesOf(pod);
    if (gates.length > 0) {
      this.#run(
        pod,
        this.#report(pod, 'SchedulingGated', `Scheduling is blocked due to non-empty scheduling gates`),
      );
      return;
    }
    const decision = decide(pod, this.#view());
    if (decision.kind === 'bind') this.#cache.assume(pod, decision.node);
    else this.#pending.park(keyOf(pod));
    this.#run(pod, this.#apply(pod, decision));
  }

  #view(): ClusterView {
    return {
      nodes: this.#cache.nodes(),
      claim: (key) => this.#claims.get(key),
      volume: (name) => this.#volumes.get(name),
      namespaceLabels: (name) => this.#namespaces.get(name)?.metadata?.labels ?? {},
    };
  }

  /** Does it on the side; a failure brings the Pod back after a moment. */
  #run(pod: Pod, work: Promise<void>): void {
    const key = keyOf(pod);
    work.then(
      () => this.#failures.delete(key),
      (error: unknown) => {
        if (this.#cache.forget(key)) this.#somethingChanged();
        if (isStatus(error, 'NotFound')) return;
        const failures = (this.#failures.get(key) ?? 0) + 1;
        this.#failures.set(key, failures);
        this.#options.log.warn(
          { pod: key, error: messageOf(error), failures },
          'scheduling failed, trying again',
        );
        this.#options.clock.after(backoffMs(failures, RETRY), () => this.#tryAgain(key));
      },
    );
  }

  #tryAgain(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined || !isPending(pod)) {
      this.#failures.delete(key);
      return;
    }
    this.#pending.add(key);
    this.#askForPass();
  }

  async #apply(pod: Pod, decision: Decision): Promise<void> {
    if (decision.kind === 'bind') return this.#bind(pod, decision.node);
    if (decision.kind === 'preempt') await this.#preempt(pod, decision.node, decision.victims);
    await this.#report(pod, 'Unschedulable', decision.message);
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    await this.#options.client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`,
      body: JSON.stringify({
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { namespace, name, uid },
        target: { apiVersion: 'v1', kind: 'Node', name: node },
      }),
    });
    this.#events.event(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node}`);
  }

  async #preempt(pod: Pod, node: string, victims: readonly Pod[]): Promise<void> {
    const { client } = this.#options;
    const staying = victims.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    for (const victim of staying) {
      const { namespace, name = '', uid } = victim.metadata;
      await client.delete(resources.pods, { namespace, name }, { preconditions: { uid } });
      this.#events.event(
        victim,
        'Normal',
        'Preempted',
        `Preempted by pod ${pod.metadata.uid} on node ${node}`,
      );
    }
    if (pod.status?.nominatedNodeName === node) return;
    const { namespace, name = '' } = pod.metadata;
    const body = { status: { nominatedNodeName: node } };
    await client.patch(resources.pods, { namespace, name }, { type: 'merge', body, subresource: 'status' });
  }

  /** Says why, when that is news. */
  async #report(pod: Pod, reason: 'Unschedulable' | 'SchedulingGated', message: string): Promise<void> {
    const condition = notScheduled(pod, reason, message, this.#options.clock.now());
    if (condition === undefined) return;
    const { namespace, name = '' } = pod.metadata;
    const body = { status: { conditions: [condition] } };
    await this.#options.client.patch(
      resources.pods,
      { namespace, name },
      { type: 'strategic', body, subresource: 'status' },
    );
    if (reason === 'Unschedulable') this.#events.event(pod, 'Warning', 'FailedScheduling', message);
  }
}

/** Heartbeats and images of a node make no room. */
function offersChanged(node: Node, old: Node): boolean {
  return !(
    deepEqual(node.status?.allocatable, old.status?.allocatable) &&
    deepEqual(node.metadata.labels, old.metadata.labels) &&
    deepEqual(node.spec, old.spec)
  );
}
