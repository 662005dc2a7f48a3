/** What the kubelet does on the machine: observes a Pod, and applies what the plan says. */
import { existsSync } from 'node:fs';
import type { Pod } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { readAccessControl } from '../access-control/host.ts';
import { killRun, stopRun } from '../container/stop.ts';
import { podDirectory } from '../context.ts';
import { AdmissionError } from '../device-manager/types.ts';
import { ImageError } from '../images/types.ts';
import type { Probes } from '../probes/probes.ts';
import { VolumeError } from '../volumes/types.ts';
import { refusal } from './admission.ts';
import type { Hooks } from './hooks.ts';
import { PodMemory, problemAfter } from './memory.ts';
import type { Action } from './plan.ts';
import { backedOff, backOffEvents, failedEvents, pullFailed } from './pull-back-off.ts';
import { type PodRecord, readContainers, readPodRecord, writePodRecord } from './records.ts';
import { runContainer, type RunContainerOptions, startFailureReason } from './run-container.ts';
import { networkIsUp, podAddresses, refreshVolumes, setUpPod } from './set-up.ts';
import { tearDownPod, type TearDownMode } from './tear-down.ts';
import {
  allContainers,
  type ContainerProblem,
  type ContainerRun,
  type ObservedPod,
  podName,
  uidOf,
} from './types.ts';

export interface PodRuntimeOptions extends RunContainerOptions {
  /** All Pods that are bound to this node. */
  otherPods(): readonly Pod[];
  readonly probes: Probes;
  readonly hooks: Hooks;
}

const SETUP_BACKOFF = { firstMs: 500, maxMs: 30_000 };
const CONTAINER_BACKOFF = { firstMs: 10_000, maxMs: 300_000 };

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

  /** Ends waiting for images and devices; no container is touched. */
  close(): void {
    for (const { ending } of this.#memories.values()) ending.abort(new Error('the kubelet is closing'));
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
    for (const [latest] of containers.values())
      if (latest !== undefined) this.#owners.set(latest.record.id, uid);
    // While a container runs, its network is where it runs, whatever became of the name in /run/netns.
    const isUp =
      record !== undefined &&
      record.tornDown !== true &&
      (networkIsUp(context, pod, record) || anyRunning(containers));
    return {
      sandbox: isUp
        ? { kind: 'ready', ips: podAddresses(context, pod, record) }
        : { kind: 'absent', ips: [] },
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
    switch (action.kind) {
      case 'setUp':
        return await this.#setUp(pod);
      case 'run':
        return await this.#run(pod, action);
      case 'stop':
        return await this.#stop(pod, action);
      case 'backOff':
        return this.#backOff(pod, action.container);
      case 'kill':
        return await killRun(this.#options.context, action.run);
      case 'reject':
        return this.#reject(pod, action.reason, action.message);
      case 'tearDown':
        return await this.tearDown(uidOf(pod), 'keepLogs');
    }
  }

  /** Removes the Pod from the machine and gives its devices back. */
  async tearDown(uid: string, mode: TearDownMode): Promise<void> {
    const { context, devices, probes, tokens } = this.#options;
    probes.forget(uid);
    await tearDownPod(context, uid, mode);
    devices.release(uid);
    tokens.forget(uid);
    const memory = this.memory(uid);
    memory.volumes = undefined;
    memory.problems.clear();
    if (mode === 'everything') {
      this.#memories.delete(uid);
      for (const [id, owner] of this.#owners) if (owner === uid) this.#owners.delete(id);
      return;
    }
    const record = readPodRecord(context, uid);
    if (record === undefined) return;
    const { network: _, userRange: __, userFault: ___, ...rest } = record;
    writePodRecord(context, { ...rest, tornDown: true });
  }

  /** Brings projected volumes of a running Pod up to date. */
  async refreshVolumes(pod: Pod): Promise<void> {
    await refreshVolumes(this.#options, this.memory(uidOf(pod)), pod);
  }

  async #setUp(pod: Pod): Promise<void> {
    const { allocatable, context, events, otherPods } = this.#options;
    const memory = this.memory(uidOf(pod));
    // A Pod that has been here before keeps its place.
    const refused =
      readPodRecord(context, uidOf(pod)) === undefined
        ? refusal(pod, otherPods(), allocatable, readAccessControl().appArmor)
        : undefined;
    if (refused !== undefined) {
      this.#reject(pod, refused.reason, refused.message);
      return;
    }
    try {
      await setUpPod(this.#options, memory, pod);
      memory.setUpProblem = undefined;
    } catch (error) {
      if (error instanceof AdmissionError) {
        this.#reject(pod, 'UnexpectedAdmissionError', `Pod was rejected: ${error.message}`);
        return;
      }
      if (memory.ending.signal.aborted) throw error;
      const message = messageOf(error);
      if (isPullFailure(error)) {
        memory.setUpProblem = this.#pullFailed(pod, error, memory.setUpProblem);
        return;
      }
      const isVolume = error instanceof VolumeError || error instanceof ImageError;
      events.event(pod, 'Warning', isVolume ? 'FailedMount' : 'FailedCreatePodSandBox', message);
      context.log.warn(
        { pod: podName(pod), uid: uidOf(pod), error: message },
        'Pod could not be set up, trying again',
      );
      const waiting = error instanceof ImageError ? error.reason : 'ContainerCreating';
      memory.setUpProblem = problemAfter(
        memory.setUpProblem,
        waiting,
        message,
        context.clock.now(),
        SETUP_BACKOFF,
      );
    }
  }

  async #run(pod: Pod, action: Extract<Action, { kind: 'run' }>): Promise<void> {
    const { context, events, hooks, probes } = this.#options;
    const { container } = action;
    const uid = uidOf(pod);
    const memory = this.memory(uid);
    try {
      const run = await runContainer(this.#options, memory, pod, action);
      this.#owners.set(run.record.id, uid);
      memory.problems.delete(container.name);
      memory.setUpProblem = undefined;
      probes.forgetContainer(uid, container.name);
      hooks.postStart(pod, container, run);
    } catch (error) {
      if (memory.ending.signal.aborted) throw error;
      const before = memory.problems.get(container.name);
      if (isPullFailure(error)) {
        memory.problems.set(container.name, this.#pullFailed(pod, error, before));
        return;
      }
      const reason = startFailureReason(error);
      const message = messageOf(error);
      events.event(pod, 'Warning', 'Failed', message);
      context.log.warn(
        { pod: podName(pod), uid, container: container.name, error: message },
        'container could not be started',
      );
      memory.problems.set(
        container.name,
        problemAfter(before, reason, message, context.clock.now(), CONTAINER_BACKOFF),
      );
    }
  }

  #pullFailed(pod: Pod, error: ImageError, before: ContainerProblem | undefined): ContainerProblem {
    const { context, events } = this.#options;
    const { image, message } = error;
    for (const told of failedEvents(message)) events.event(pod, told.type, told.reason, told.message);
    context.log.warn(
      { pod: podName(pod), uid: uidOf(pod), image, error: message },
      'image could not be pulled',
    );
    return pullFailed(before, image, message, context.clock.now());
  }

  /** Tells that the next try to pull an image is waited for. */
  #backOff(pod: Pod, container: string | undefined): void {
    const memory = this.memory(uidOf(pod));
    const problem = container === undefined ? memory.setUpProblem : memory.problems.get(container);
    if (problem?.backOff === undefined) return;
    const { events } = this.#options;
    for (const { type, reason, message } of backOffEvents(problem.backOff.image))
      events.event(pod, type, reason, message);
    if (container === undefined) memory.setUpProblem = backedOff(problem);
    else memory.problems.set(container, backedOff(problem));
  }

  async #stop(pod: Pod, { run, graceSeconds, reason }: Extract<Action, { kind: 'stop' }>): Promise<void> {
    const { context, events, hooks } = this.#options;
    const container = allContainers(pod).find((c) => c.name === run.record.name);
    events.event(pod, 'Normal', 'Killing', `Stopping container ${run.record.name}`);
    const preStop = container === undefined ? undefined : hooks.preStop(pod, container, run);
    await stopRun(context, { run, graceSeconds, reason, preStop });
  }

  /** Ends the Pod for good: it took more than it may. */
  evict(pod: Pod, message: string): void {
    this.#reject(pod, 'Evicted', message);
  }

  #reject(pod: Pod, reason: string, message: string): void {
    const { context, events } = this.#options;
    const uid = uidOf(pod);
    events.event(pod, 'Warning', reason, message);
    const base: PodRecord = readPodRecord(context, uid) ?? {
      uid,
      namespace: pod.metadata.namespace ?? '',
      name: pod.metadata.name ?? '',
      hostNetwork: pod.spec.hostNetwork === true,
    };
    writePodRecord(context, { ...base, rejected: { reason, message } });
  }
}

/** Trouble that another try may end. */
function isPullFailure(error: unknown): error is ImageError {
  return error instanceof ImageError && error.reason === 'ErrImagePull';
}

function anyRunning(containers: ReadonlyMap<string, readonly ContainerRun[]>): boolean {
  return [...containers.values()].some(([latest]) => latest?.state.kind === 'running');
}

/** After a restart of the kubelet a Pod that runs needs no setting up. */
function allRunning(pod: Pod, containers: ReadonlyMap<string, readonly ContainerRun[]>): boolean {
  return pod.spec.containers.every((c) => containers.get(c.name)?.[0]?.state.kind === 'running');
}
