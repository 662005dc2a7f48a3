/** One way to the containers of all nodes: each call goes to the kubelet of the Pod's node. */
import { StatusError } from '@podvisor/base';
import type { NodeProxy, PodRef } from '@podvisor/home-contract';

/** A proxy over kubelets that come and go. */
export class NodeProxies implements NodeProxy {
  readonly #byNode = new Map<string, { readonly proxy: NodeProxy; isReachable(): boolean }>();

  /** `isReachable`: whether the node's network lets us through to its kubelet now. */
  set(nodeName: string, proxy: NodeProxy, isReachable: () => boolean): void {
    this.#byNode.set(nodeName, { proxy, isReachable });
  }

  remove(nodeName: string): void {
    this.#byNode.delete(nodeName);
  }

  logs(pod: PodRef, ...rest: Rest<NodeProxy['logs']>): ReturnType<NodeProxy['logs']> {
    return this.#of(pod).logs(pod, ...rest);
  }

  async exec(pod: PodRef, ...rest: Rest<NodeProxy['exec']>): ReturnType<NodeProxy['exec']> {
    return this.#of(pod).exec(pod, ...rest);
  }

  async attach(pod: PodRef, ...rest: Rest<NodeProxy['attach']>): ReturnType<NodeProxy['attach']> {
    return this.#of(pod).attach(pod, ...rest);
  }

  async portForward(
    pod: PodRef,
    ...rest: Rest<NodeProxy['portForward']>
  ): ReturnType<NodeProxy['portForward']> {
    return this.#of(pod).portForward(pod, ...rest);
  }

  async usage(): ReturnType<NodeProxy['usage']> {
    const reachable = [...this.#byNode.values()].filter(({ isReachable }) => isReachable());
    return (await Promise.all(reachable.map(({ proxy }) => proxy.usage()))).flat();
  }

  #of({ namespace, name, nodeName }: PodRef): NodeProxy {
    const found = this.#byNode.get(nodeName);
    if (found?.isReachable() === true) return found.proxy;
    throw new StatusError(
      'ServiceUnavailable',
      `the kubelet of node "${nodeName}", where Pod ${namespace}/${name} runs, does not answer`,
    );
  }
}

type Rest<F extends (pod: PodRef, ...rest: never) => unknown> = F extends (
  pod: PodRef,
  ...rest: infer R
) => unknown
  ? R
  : never;
