/** A node as the scheduler sees it: what it offers, who is on it, what is taken. */
import type { Node, Pod } from '@podvisor/api';
import { keyOf, MIRROR_ANNOTATION } from '@podvisor/kube';
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
  /** How many of `pods` were placed on it (a mirror Pod was not); counted as they come, for every Pod asks. */
  readonly placed: number;
}

/** A NodeInfo that can be changed, for the cache and for trying out preemption. */
export class NodeState implements NodeInfo {
  readonly name: string;
  node: Node;
  allocatable: ReadonlyMap<string, bigint>;
  readonly requested = new Map<string, bigint>();
  readonly pods = new Map<string, Pod>();
  readonly podsWithAntiAffinity = new Map<string, Pod>();
  placed = 0;

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
    if (isPlaced(pod)) this.placed += 1;
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
    if (isPlaced(pod)) this.placed -= 1;
    subtract(this.requested, podRequests(pod));
  }
}

function isPlaced({ metadata }: Pod): boolean {
  return metadata.annotations?.[MIRROR_ANNOTATION] === undefined;
}
