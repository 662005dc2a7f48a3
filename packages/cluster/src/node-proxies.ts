/** One door to the containers of all nodes: each call goes to the kubelet of the Pod's node. */
import { StatusError } from '@podvisor/base';
import type { NodeProxy, PodRef } from './apiserver/index.ts';

/** A proxy over kubelets that may start after the API server does. */
export class NodeProxies implements NodeProxy {
  readonly #byNode = new Map<string, NodeProxy>();

  set(nodeName: string, proxy: NodeProxy): void {
    this.#byNode.set(nodeName, proxy);
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

  #of({ namespace, name, nodeName }: PodRef): NodeProxy {
    const proxy = this.#byNode.get(nodeName);
    if (proxy !== undefined) return proxy;
    throw new StatusError(
      'ServiceUnavailable',
      `the kubelet of node "${nodeName}", where Pod ${namespace}/${name} runs, is not ready`,
    );
  }
}

type Rest<F extends (pod: PodRef, ...rest: never) => unknown> = F extends (
  pod: PodRef,
  ...rest: infer R
) => unknown
  ? R
  : never;
