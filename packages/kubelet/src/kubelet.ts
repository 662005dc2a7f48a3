/** One node's kubelet: follows its Pods, runs them, tells how they are. */
import { mkdirSync, statfsSync } from 'node:fs';
import type { Pod } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { EventRecorder, Informer, type Log, resources } from '@podvisor/kube';
import {
  EMBEDDED_LAUNCHER_IMAGE,
  type InstanceConfig,
  type InstanceNode,
  type InstancePaths,
  makeShared,
  PASST_SECCOMP_PROFILE,
  VIRTIOFS_SECCOMP_PROFILE,
  writeJsonMakingDirectories,
} from '@podvisor/sys';
import type { NodeProxy } from '@podvisor/home-contract';
import { tellMissingProfiles } from './access-control/host.ts';
import type { KubeletClient } from './client.ts';
import { kubeletContext } from './context.ts';
import { ComponentPods } from './components/component-pods.ts';
import { DeviceManager } from './device-manager/manager.ts';
import { watchExits } from './exit-watcher.ts';
import { passtSeccomp, virtiofsSeccomp } from './container/seccomp.ts';
import { diskUsage, fileCount } from './eviction/disk-usage.ts';
import { watchStorage } from './eviction/storage-watch.ts';
import { collectGarbage } from './garbage.ts';
import { ImageStore } from './images/store.ts';
import { weighPods } from './pods-weight.ts';
import { setUpNodeNetwork } from './network/node-network.ts';
import { readMachine, shareOf } from './node/machine.ts';
import { NodeAgent } from './node/node-agent.ts';
import { PodWorkers } from './pod-workers.ts';
import { nodeProxy } from './streams/node-proxy.ts';
import { ObjectWatch } from './volumes/object-watch.ts';

export interface StartKubeletOptions {
  readonly client: KubeletClient;
  readonly node: InstanceNode;
  readonly config: InstanceConfig;
  readonly paths: InstancePaths;
  readonly clock: Clock;
  readonly log: Log;
  /** Shared by all nodes of the machine; absent: one of its own. */
  readonly images?: ImageStore;
}

export interface Kubelet {
  /** Logs, exec, attach and port-forward of this node's Pods. */
  readonly nodeProxy: NodeProxy;
  readonly images: ImageStore;
  /** Ends the kubelet. No container notices. */
  close(): Promise<void>;
}

/**
 * Resolves when the node is registered and its Pods are being looked after. The signal ends the start, not
 * a kubelet that has started.
 */
export async function startKubelet(options: StartKubeletOptions, signal?: AbortSignal): Promise<Kubelet> {
  const { client, node, clock, log } = options;
  const context = kubeletContext(options);
  const ending = new AbortController();
  // Root file systems of containers may hold setuid programs: no other user of the machine may reach them.
  for (const dir of [context.containersDir, options.paths.images])
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  const seccomp = `${context.kubeletDir}/seccomp`;
  writeJsonMakingDirectories(`${seccomp}/${PASST_SECCOMP_PROFILE}`, passtSeccomp());
  writeJsonMakingDirectories(`${seccomp}/${VIRTIOFS_SECCOMP_PROFILE}`, virtiofsSeccomp());
  const wholeMachine = readMachine(options.paths.home);
  weighPods(context, wholeMachine);
  const machine = shareOf(wholeMachine, options.config.nodes.length);
  const images = options.images ?? new ImageStore(options.paths.images);
  const agent = new NodeAgent({
    context,
    client,
    machine,
    devices: { quantities: () => devices.quantities() },
  });
  const devices: DeviceManager = new DeviceManager({
    directory: `${context.kubeletDir}/device-plugins`,
    clock,
    log,
    onChange: () => agent.changed(),
  });
  const workers = new PodWorkers({
    context,
    client,
    events: new EventRecorder({ client, component: 'kubelet', host: node.name, clock, log }),
    images,
    devices,
    allocatable: { cpuMilli: machine.cpuMilli, memoryBytes: machine.memoryBytes },
  });
  const components = new ComponentPods(context, client);
  const exits = watchExits(context.exitDir, (id) => workers.containerExited(id));
  const shown = new ObjectWatch({
    client,
    clock,
    log,
    onChange: (object) => workers.objectChanged(object),
  });
  const informer = new Informer<Pod>({
    client,
    resource: resources.pods,
    fieldSelector: `spec.nodeName=${node.name}`,
    clock,
    log,
  });
  const close = async (): Promise<void> => {
    ending.abort();
    shown.close();
    agent.close();
    devices.close();
    exits.close();
    await Promise.all([workers.close(), components.close()]);
  };
  try {
    // A Pod that looks after others mounts it, and both must see what is mounted below it later.
    if (options.config.bare === true) makeShared(context.kubeletDir);
    tellMissingProfiles(log);
    await Promise.all([
      setUpNodeNetwork(context),
      devices.start(),
      agent.start(),
      // Built once, so that the first launcher need not wait for it.
      images.ensure(EMBEDDED_LAUNCHER_IMAGE),
    ]);
    await collectGarbage(context, client, workers.runtime);
    const changed = (pod: Pod): void => {
      if (components.owns(pod)) return components.podChanged(pod);
      workers.podChanged(pod);
      shown.podChanged(pod);
    };
    const gone = (pod: Pod): void => {
      if (components.owns(pod)) return components.podGone(pod);
      workers.podGone(pod);
      shown.podGone(pod);
    };
    informer.on({
      add: changed,
      update: (pod, old) => {
        if (pod.metadata.uid !== old.metadata.uid) gone(old);
        changed(pod);
      },
      delete: gone,
    });
    informer.start(ending.signal);
    await untilAborted(informer.synced(), signal);
    components.start();
    watchStorage(
      {
        context,
        usageOf: (pod) => diskUsage(context, pod),
        filesOf: (pod) => fileCount(context, pod),
        disk: () => statfsSync(context.paths.home),
        pods: () => workers.activePods(),
        evict: (pod, message) => workers.evict(pod, message),
      },
      ending.signal,
    );
  } catch (error) {
    await close();
    throw error;
  }
  log.info({ node: node.name, pods: informer.size }, 'kubelet looks after its Pods');

  return {
    nodeProxy: nodeProxy(context, components),
    images,
    close: async () => {
      await close();
      await informer.stopped();
    },
  };
}

/** The promise, or the signal's reason if that comes first. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined
    ? promise
    : new Promise((resolve, reject) => {
        const onAbort = (): void => reject(new Error('the start was ended', { cause: signal.reason }));
        if (signal.aborted) onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
      });
}
