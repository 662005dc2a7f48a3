/**
 * The kubelets of all nodes in this process, each as if on a machine of its own: it reaches the API server
 * from its node's network, a failure of one is nobody else's, and one whose power a person cut
 * (`podvisor node kill`) ends without a word, its containers with it.
 */
import { type FSWatcher, watch } from 'node:fs';
import { backoffMs, type Clock, messageOf, sleep } from '@podvisor/base';
import { defaultCredentials, KubeClient, type Log } from '@podvisor/kube';
import {
  connectFromNetns,
  type InstanceConfig,
  type InstanceNode,
  type InstancePaths,
  netnsPath,
  nodeFault,
  removePidFile,
  writePidFile,
} from '@podvisor/sys';
import { type ImageStore, killContainers, type Kubelet, startKubelet } from '@podvisor/kubelet';
import type { NodeProxies } from './node-proxies.ts';

export interface NodeSetOptions {
  readonly paths: InstancePaths;
  readonly config: InstanceConfig;
  readonly images: ImageStore;
  readonly proxies: NodeProxies;
  /** Kubeconfig of a node's kubelet. */
  kubeconfig(node: string): string;
  readonly clock: Clock;
  readonly log: Log;
}

const POWER_CUT = 'power cut';

/** A node that is on. */
interface Power {
  readonly off: AbortController;
  /** Ends when the kubelet has ended. */
  readonly done: Promise<void>;
}

export class NodeSet {
  readonly #options: NodeSetOptions;
  readonly #on = new Map<string, Power>();
  /** Power changes of a node, one after the other. */
  readonly #turns = new Map<string, Promise<void>>();
  #watcher: FSWatcher | undefined;
  #closed = false;

  constructor(options: NodeSetOptions) {
    this.#options = options;
  }

  /** Resolves when every node that nothing is wrong with is ready. */
  async start(): Promise<void> {
    const { config, paths } = this.#options;
    this.#watcher = watch(paths.run, (_, name) => {
      if (name?.endsWith('.fault') === true) this.#lookAtAll();
    });
    await Promise.all(
      config.nodes.map((node) => {
        const ready = this.#look(node);
        return nodeFault(paths, node.name) === undefined ? ready : undefined;
      }),
    );
  }

  /** Ends all kubelets. No container notices. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#watcher?.close();
    const all = [...this.#on.values()];
    for (const { off } of all) off.abort();
    await Promise.all(all.map(({ done }) => done));
  }

  #lookAtAll(): void {
    for (const node of this.#options.config.nodes) void this.#look(node);
  }

  /** Compares what a person wants of the node with what is, and acts; resolves when its kubelet is ready. */
  #look(node: InstanceNode): Promise<void> {
    const turn = (this.#turns.get(node.name) ?? Promise.resolve()).then(async () => {
      const wantedOff = nodeFault(this.#options.paths, node.name) === 'killed';
      const power = this.#on.get(node.name);
      if (this.#closed || wantedOff === (power === undefined)) return undefined;
      if (power === undefined) return { ready: this.#turnOn(node) };
      await this.#cutPower(node, power);
      return undefined;
    });
    this.#turns.set(
      node.name,
      turn.then(() => undefined),
    );
    return turn.then((started) => started?.ready);
  }

  #turnOn(node: InstanceNode): Promise<void> {
    const off = new AbortController();
    const ready = Promise.withResolvers<void>();
    this.#on.set(node.name, { off, done: this.#keepKubelet(node, ready.resolve, off.signal) });
    return ready.promise;
  }

  async #cutPower(node: InstanceNode, { off, done }: Power): Promise<void> {
    const { config, paths, clock, log } = this.#options;
    off.abort(POWER_CUT);
    await done;
    await killContainers({ config, paths, clock, log, node });
    this.#on.delete(node.name);
    removePidFile(pidFileOf(paths, node));
    log.info({ node: node.name }, 'power of the node was cut');
  }

  /** Starts the kubelet, again and again if need be, and ends it with the signal. */
  async #keepKubelet(node: InstanceNode, ready: () => void, signal: AbortSignal): Promise<void> {
    const { paths, config, clock, log, images, proxies } = this.#options;
    writePidFile(pidFileOf(paths, node), process.pid);
    for (let failures = 1; !signal.aborted; failures += 1) {
      const client = this.#clientOf(node);
      // Without its client nothing that is under way can still reach the API: a power cut says no last words.
      const unplug = (): void => void (signal.reason === POWER_CUT && client.close());
      let kubelet: Kubelet | undefined;
      try {
        signal.addEventListener('abort', unplug, { once: true });
        kubelet = await startKubelet({ client, node, config, paths, clock, log, images }, signal);
        proxies.set(node.name, kubelet.nodeProxy, () => nodeFault(paths, node.name) === undefined);
        ready();
        await aborted(signal);
      } catch (error) {
        if (!signal.aborted)
          log.warn(
            { node: node.name, error: messageOf(error), failures },
            'kubelet could not start, trying again',
          );
      } finally {
        proxies.remove(node.name);
        await kubelet?.close();
        signal.removeEventListener('abort', unplug);
        await client.close();
      }
      await sleep(clock, backoffMs(failures, { firstMs: 200, maxMs: 5000 }), signal).catch(() => undefined);
    }
  }

  #clientOf({ name, netns }: InstanceNode): KubeClient {
    const userAgent = `podvisor-kubelet-${name}`;
    const credentials = defaultCredentials(this.#options.kubeconfig(name));
    if (netns === undefined) return new KubeClient({ credentials, userAgent });
    const path = netns.startsWith('/') ? netns : netnsPath(netns);
    return new KubeClient({
      credentials,
      userAgent,
      dial: (host, port) => connectFromNetns(path, host, port),
    });
  }
}

/** There while the node is on: whoever cut its power knows by its absence that it is done. */
function pidFileOf(paths: InstancePaths, { name }: InstanceNode): string {
  return `${paths.run}/kubelet-${name}.pid`;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
