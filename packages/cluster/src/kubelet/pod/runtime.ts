/** The hands of the kubelet: looks at a Pod on the machine, and does what the plan says. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { Container, Pod } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { removeCgroup } from '@podvisor/sys';
import type { KubeletClient, PodEvents } from '../client.ts';
import { createRun, removeRun, startRun } from '../container/create.ts';
import { ContainerConfigError } from '../container/environment.ts';
import { killRun, stopRun } from '../container/stop.ts';
import { type KubeletContext, podCgroup, podContainersDirectory, podDirectory } from '../context.ts';
import type { DeviceManager } from '../device-manager/manager.ts';
import { AdmissionError } from '../device-manager/types.ts';
import type { ImageStore } from '../images/store.ts';
import { type Image, ImageError } from '../images/types.ts';
import { addressesOf, createPodNetns, plugIn, podNetns, unplug } from '../network/sandbox.ts';
import type { Probes } from '../probes/probes.ts';
import { setUpVolumes, tearDownVolumes } from '../volumes/index.ts';
import type { ServiceAccountTokens } from '../volumes/service-account-token.ts';
import { type VolumeContext, VolumeError } from '../volumes/types.ts';
import type { PodFacts } from './field-path.ts';
import type { Hooks } from './hooks.ts';
import { PodMemory, problemAfter } from './memory.ts';
import type { Action } from './plan.ts';
import { writePodFiles } from './pod-files.ts';
import { bootId, type PodRecord, readContainers, readPodRecord, writePodRecord } from './records.ts';
import { allContainers, type ContainerRun, type ObservedPod, podName, uidOf } from './types.ts';

export interface PodRuntimeOptions {
  readonly context: KubeletContext;
  readonly client: KubeletClient;
  readonly events: PodEvents;
  readonly images: ImageStore;
  readonly devices: DeviceManager;
  readonly tokens: ServiceAccountTokens;
  readonly probes: Probes;
  readonly hooks: Hooks;
  readonly allocatable: PodFacts['allocatable'];
}

const SETUP_BACKOFF = { firstMs: 500, maxMs: 30_000 };
const CONTAINER_BACKOFF = { firstMs: 10_000, maxMs: 300_000 };
/** Runs of a container that are kept: the current one and the one before, for `logs --previous`. */
const KEPT_RUNS = 2;

export class PodRuntime {
  readonly #options: PodRuntimeOptions;
  readonly #memories = new Map<string, PodMemory>();
  /** Which Pod a container belongs to, by its id; filled by looking. */
  readonly #owners = new Map<string, string>();

  constructor(options: PodRuntimeOptions) {
    this.#options = options;
  }

  memory(uid: string): PodMemory {
    const known = this.#memories.get(uid);
    if (known !== undefined) return known;
    const fresh = new PodMemory();
    this.#memories.set(uid, fresh);
    return fresh;
  }

  podOfContainer(containerId: string): string | undefined {
    return this.#owners.get(containerId);
  }

  observe(pod: Pod): ObservedPod {
    const { context, probes } = this.#options;
    const uid = uidOf(pod);
    const record = readPodRecord(context, uid);
    const memory = this.memory(uid);
    const containers = readContainers(context, uid);
    for (const [latest] of containers.values()) if (latest !== undefined) this.#owners.set(latest.record.id, uid);
    const isUp = record !== undefined && record.tornDown !== true && this.#networkIsUp(pod, record);
    return {
      sandbox: isUp ? { kind: 'ready', ips: this.#addresses(pod, record) } : { kind: 'absent', ips: [] },
      volumesReady: memory.volumes !== undefined || allRunning(pod, containers),
      containers,
      problems: memory.problems,
      probes: probes.states(uid, containers),
      ...(memory.setUpProblem === undefined ? {} : { setUpProblem: memory.setUpProblem }),
      ...(record?.rejected === undefined ? {} : { rejected: record.rejected }),
      tornDown: record === undefined ? !existsSync(podDirectory(context, uid)) : record.tornDown === true,
    };
  }

  async apply(pod: Pod, action: Exclude<Action, { kind: 'wait' | 'forget' }>): Promise<void> {
    const { context, events, hooks } = this.#options;
    switch (action.kind) {
      case 'setUp':
        return await this.#setUp(pod);
      case 'run':
        return await this.#run(pod, action);
      case 'stop': {
        const { run, reason } = action;
        const container = allContainers(pod).find((c) => c.name === run.record.name);
        events.event(pod, 'Normal', 'Killing', `Stopping container ${run.record.name}`);
        const preStop = container === undefined ? undefined : hooks.preStop(pod, container, run);
        return await stopRun(context, { run, graceSeconds: action.graceSeconds, reason, preStop });
      }
      case 'kill':
        return await killRun(context, action.run);
      case 'tearDown':
        return await this.tearDown(pod.metadata.uid ?? '', 'keepLogs');
    }
  }

  /** Removes the Pod from the machine. Logs and records stay until the API has forgotten the Pod. */
  async tearDown(uid: string, mode: 'keepLogs' | 'everything'): Promise<void> {
    const { context, devices, probes, tokens } = this.#options;
    probes.forget(uid);
    const runs = [...readContainers(context, uid).values()].flat();
    for (const run of runs) await removeRun(context, run.record, mode === 'keepLogs' ? 'log' : 'nothing');
    const record = readPodRecord(context, uid);
    const hasNetwork = record?.hostNetwork !== true && (record?.network !== undefined || podNetns(context, uid) !== undefined);
    await settleAll([hasNetwork ? unplug(context, uid) : undefined, tearDownVolumes(context, uid)]);
    if (!removeCgroup(podCgroup(context, uid))) throw new Error(`control group of Pod ${uid} still has processes`);
    devices.release(uid);
    tokens.forget(uid);
    const memory = this.memory(uid);
    memory.volumes = undefined;
    memory.problems.clear();
    if (mode === 'everything') {
      await rm(podContainersDirectory(context, uid), { recursive: true, force: true });
      this.#memories.delete(uid);
      for (const { record: run } of runs) this.#owners.delete(run.id);
    } else if (record !== undefined) {
      const { network: _, ...rest } = record;
      writePodRecord(context, { ...rest, tornDown: true });
    }
  }

  /** Brings projected volumes of a running Pod up to date. */
  async refreshVolumes(pod: Pod): Promise<void> {
    const memory = this.memory(uidOf(pod));
    memory.volumesAtMs = this.#options.context.clock.now();
    memory.volumes = await setUpVolumes(this.#volumeContext(pod), this.#options.tokens);
  }

  async #setUp(pod: Pod): Promise<void> {
    const { context, devices, events, images } = this.#options;
    const uid = uidOf(pod);
    const memory = this.memory(uid);
    try {
      if (allContainers(pod).some((c) => c.resources?.limits !== undefined)) await devices.admit(pod);
      await mkdir(podDirectory(context, uid), { recursive: true, mode: 0o750 });
      // Images are fetched meanwhile; whether that went well is asked when a container needs one.
      for (const { image = '', imagePullPolicy } of allContainers(pod)) {
        void images.ensure(image, imagePullPolicy).catch(() => undefined);
      }
      // Volumes that show the Pod's address must wait for it; all others are made meanwhile.
      const volumes = needsAddress(pod) ? undefined : this.refreshVolumes(pod);
      const [network] = await settleAll([this.#setUpNetwork(pod), volumes]);
      if (volumes === undefined) await this.refreshVolumes(pod);
      writePodFiles(context, pod, addressesOf(network));
      memory.setUpProblem = undefined;
    } catch (error) {
      if (error instanceof AdmissionError) {
        this.#reject(pod, 'UnexpectedAdmissionError', `Pod was rejected: ${error.message}`);
        return;
      }
      if (memory.ending.signal.aborted) throw error;
      const isVolume = error instanceof VolumeError || error instanceof ImageError;
      const reason = isVolume ? 'FailedMount' : 'FailedCreatePodSandBox';
      events.event(pod, 'Warning', reason, messageOf(error));
      context.log.warn({ pod: podName(pod), uid, error: messageOf(error) }, 'Pod could not be set up, trying again');
      const waiting = error instanceof ImageError ? error.reason : 'ContainerCreating';
      memory.setUpProblem = problemAfter(memory.setUpProblem, waiting, messageOf(error), context.clock.now(), SETUP_BACKOFF);
    }
  }

  async #setUpNetwork(pod: Pod): Promise<PodRecord['network']> {
    const { context } = this.#options;
    const uid = uidOf(pod);
    const base: PodRecord = {
      uid,
      namespace: pod.metadata.namespace ?? '',
      name: pod.metadata.name ?? '',
      hostNetwork: pod.spec.hostNetwork === true,
      bootId,
    };
    const known = readPodRecord(context, uid);
    if (known !== undefined && this.#networkIsUp(pod, known)) return known.network;
    writePodRecord(context, base);
    if (base.hostNetwork) return undefined;
    // What an earlier try or an earlier boot left would make the plugin refuse.
    if (known !== undefined) await unplug(context, uid);
    const netns = await createPodNetns(context, uid);
    const network = await plugIn(context, pod, netns);
    writePodRecord(context, { ...base, network });
    return network;
  }

  async #run(pod: Pod, action: Extract<Action, { kind: 'run' }>): Promise<void> {
    const { context, devices, events, client, probes } = this.#options;
    const { container, attempt, backoffLevel } = action;
    const uid = uidOf(pod);
    const memory = this.memory(uid);
    try {
      const image = await this.#image(pod, container);
      if (memory.volumes === undefined) await this.refreshVolumes(pod);
      await devices.preStart(pod, container);
      const namespace = pod.metadata.namespace;
      const record = await createRun(context, {
        pod,
        container,
        attempt,
        backoffLevel,
        image,
        netns: pod.spec.hostNetwork === true ? context.nodeNetns : podNetns(context, uid),
        volumes: memory.volumes ?? new Map(),
        podFiles: writePodFiles(context, pod, this.#facts(pod).ips),
        devices: devices.grantFor(pod, container),
        facts: this.#facts(pod),
        objects: {
          configMap: (name) => client.find(resources.configMaps, { namespace, name }),
          secret: (name) => client.find(resources.secrets, { namespace, name }),
        },
      });
      this.#owners.set(record.id, uid);
      await startRun(context, record);
      memory.problems.delete(container.name);
      probes.forgetContainer(uid, container.name);
      const started = readContainers(context, uid).get(container.name) ?? [];
      for (const old of started.slice(KEPT_RUNS)) await removeRun(context, old.record, 'nothing');
      const [previous] = started.slice(1);
      if (previous !== undefined) await removeRun(context, previous.record, 'log');
      if (started[0] !== undefined) this.#options.hooks.postStart(pod, container, started[0]);
    } catch (error) {
      if (memory.ending.signal.aborted) throw error;
      const reason = reasonOf(error, memory.problems.get(container.name)?.failures ?? 0);
      const text = messageOf(error);
      const message = reason === 'ImagePullBackOff' ? `Back-off pulling image "${container.image}": ${text}` : text;
      events.event(pod, 'Warning', reason === 'ImagePullBackOff' ? 'BackOff' : 'Failed', message);
      context.log.warn({ pod: podName(pod), uid, container: container.name, error: text }, 'container could not be started');
      memory.problems.set(
        container.name,
        problemAfter(memory.problems.get(container.name), reason, message, context.clock.now(), CONTAINER_BACKOFF),
      );
    }
  }

  async #image(pod: Pod, { image = '', imagePullPolicy }: Container): Promise<Image> {
    const { images, events } = this.#options;
    const { signal } = this.memory(uidOf(pod)).ending;
    return await images.ensure(image, imagePullPolicy, signal, (what) => events.event(pod, 'Normal', what.reason, what.message));
  }

  #volumeContext(pod: Pod): VolumeContext {
    const { context, client, images } = this.#options;
    const { signal } = this.memory(uidOf(pod)).ending;
    return {
      kubelet: context,
      client,
      pod,
      facts: this.#facts(pod),
      image: (reference, policy) => images.ensure(reference, policy, signal),
    };
  }

  #facts(pod: Pod): PodFacts {
    const { context, allocatable } = this.#options;
    const record = readPodRecord(context, uidOf(pod));
    return {
      ips: record === undefined ? [] : this.#addresses(pod, record),
      hostIp: context.node.address,
      nodeName: context.node.name,
      allocatable,
    };
  }

  #addresses(pod: Pod, record: PodRecord): readonly string[] {
    return pod.spec.hostNetwork === true ? [this.#options.context.node.address] : addressesOf(record.network);
  }

  #networkIsUp(pod: Pod, record: PodRecord): boolean {
    if (record.bootId !== bootId) return false;
    if (pod.spec.hostNetwork === true) return true;
    return record.network !== undefined && podNetns(this.#options.context, uidOf(pod)) !== undefined;
  }

  #reject(pod: Pod, reason: string, message: string): void {
    const { context, events } = this.#options;
    events.event(pod, 'Warning', reason, message);
    writePodRecord(context, {
      uid: uidOf(pod),
      namespace: pod.metadata.namespace ?? '',
      name: pod.metadata.name ?? '',
      hostNetwork: pod.spec.hostNetwork === true,
      rejected: { reason, message },
    });
  }
}

/** As Promise.all, but nothing is still at work when it throws. */
async function settleAll<T extends readonly unknown[]>(
  promises: readonly [...{ [K in keyof T]: Promise<T[K]> | undefined }],
): Promise<T> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as unknown as T;
}

function needsAddress(pod: Pod): boolean {
  return (pod.spec.volumes ?? []).some((v) => JSON.stringify(v.downwardAPI ?? v.projected ?? '').includes('status.'));
}

/** After a restart of the kubelet a Pod that runs needs no setting up. */
function allRunning(pod: Pod, containers: ReadonlyMap<string, readonly ContainerRun[]>): boolean {
  return pod.spec.containers.every((c) => containers.get(c.name)?.[0]?.state.kind === 'running');
}

function reasonOf(error: unknown, earlierFailures: number): string {
  if (error instanceof ImageError) {
    return error.reason === 'ErrImagePull' && earlierFailures > 0 ? 'ImagePullBackOff' : error.reason;
  }
  if (error instanceof ContainerConfigError || (error instanceof Error && error.name === 'ContainerUserError')) {
    return 'CreateContainerConfigError';
  }
  return /^runc /.test(messageOf(error)) ? 'RunContainerError' : 'CreateContainerError';
}
