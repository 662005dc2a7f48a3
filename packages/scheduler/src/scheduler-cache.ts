/**
 * The nodes and the Pods on them, kept up to date by events. A Pod that was bound a moment ago is assumed
 * to be there until the API says so: decisions never wait for their own echo.
 */
import { type Node, type Pod, isPodEnded } from '@podvisor/api';
import { keyOf } from '@podvisor/kube';
import { type NodeInfo, NodeState } from './node-info.ts';

export class SchedulerCache {
  readonly #nodes = new Map<string, NodeState>();
  /** Pods by key, also those whose node is not known (yet). */
  readonly #pods = new Map<string, Pod>();
  readonly #assumed = new Set<string>();

  nodes(): NodeInfo[] {
    return [...this.#nodes.values()];
  }

  setNode(node: Node): void {
    const name = node.metadata.name ?? '';
    const known = this.#nodes.get(name);
    if (known !== undefined) return known.setNode(node);
    const there = [...this.#pods.values()].filter((pod) => pod.spec.nodeName === name);
    this.#nodes.set(name, new NodeState(node, there));
  }

  removeNode(name: string): void {
    this.#nodes.delete(name);
  }

  /** Takes what the API says about a Pod. Finished Pods hold nothing any more. */
  setPod(pod: Pod): void {
    const key = keyOf(pod);
    const node = pod.spec.nodeName;
    if (node === undefined || node === '') {
      // The echo of a binding may come after other news about the Pod.
      if (!this.#assumed.has(key)) this.#drop(key);
      return;
    }
    this.#drop(key);
    if (isPodEnded(pod)) return;
    this.#put(key, pod, node);
  }

  /** True when it held room on a node: others may fit now. One that waited for a node itself held none. */
  removePod(key: string): boolean {
    return this.#drop(key);
  }

  /** We are about to bind the Pod. */
  assume(pod: Pod, node: string): void {
    const key = keyOf(pod);
    this.#drop(key);
    this.#put(key, { ...pod, spec: { ...pod.spec, nodeName: node } }, node);
    this.#assumed.add(key);
  }

  /** The binding failed. True when that gave room back. */
  forget(key: string): boolean {
    return this.#assumed.has(key) && this.#drop(key);
  }

  #put(key: string, pod: Pod, node: string): void {
    this.#pods.set(key, pod);
    this.#nodes.get(node)?.addPod(pod);
  }

  #drop(key: string): boolean {
    this.#assumed.delete(key);
    const pod = this.#pods.get(key);
    if (pod === undefined) return false;
    this.#pods.delete(key);
    this.#nodes.get(pod.spec.nodeName ?? '')?.removePod(key);
    return true;
  }
}
