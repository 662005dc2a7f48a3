/** A node as the scheduler sees it: what it offers, who is on it, what is taken. */
import type { Node, Pod } from '@podvisor/api';
import { keyOf } from '@podvisor/kube';
import { add, amountsOf, podRequests, subtract } from './requests.ts';

export interface NodeInfo {
  readonly name: string;
  readonly node: Node;
  readonly allocatable: ReadonlyMap<string, bigint>;
  readonly requested: ReadonlyMap<string, bigint>;
  /** By `namespace/name`. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** Those of `pods` that refuse company: few, so that checking them is cheap. */
  readonly podsWithAntiAffinity: ReadonlyMap<string, Pod>;
}

/** A NodeInfo that can be changed, for the cache and for trying out preemption. */
export class NodeState implements NodeInfo {
  readonly name: string;
  node: Node;
  allocatable: ReadonlyMap<string, bigint>;
  readonly requested = new Map<string, bigint>();
  readonly pods = new Map<string, Pod>();
  readonly podsWithAntiAffinity = new Map<string, Pod>();

  constructor(node: Node, pods: Iterable<Pod> = []) {
    this.name = node.metadata.name ?? '';
    this.node = node;
    this.allocatable = amountsOf(node.status?.allocatable);
    for (const pod of pods) this.addPod(pod);
  }

  setNode(node: Node): void {
    this.node = node;
    this.allocatable = amountsOf(node.status?.allocatable);
  }

  addPod(pod: Pod): void {
    const key = keyOf(pod);
    this.removePod(key);
    this.pods.set(key, pod);
    add(this.requested, podRequests(pod));
    if (
      (pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.length ?? 0) > 0
    ) {
      this.podsWithAntiAffinity.set(key, pod);
    }
  }

  removePod(key: string): void {
    const pod = this.pods.get(key);
    if (pod === undefined) return;
    this.pods.delete(key);
    this.podsWithAntiAffinity.delete(key);
    subtract(this.requested, podRequests(pod));
  }
}
