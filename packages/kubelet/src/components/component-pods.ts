/**
 * Shows the home's components that belong to this node as mirror Pods: makes them, keeps their status true to the
 * processes, makes them again when somebody deletes them. The supervisor of the home runs the processes; nothing here
 * starts or ends one.
 */
import { type FSWatcher, mkdirSync, statSync, watch } from 'node:fs';
import type { Pod } from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import { MIRROR_ANNOTATION, resources } from '@podvisor/kube';
import { nodeAddresses, readPidFile } from '@podvisor/sys';
import {
  COMPONENT_NAMESPACE,
  componentsOf,
  type HomeComponent,
  mirrorPod,
  type PodRef,
} from '@podvisor/home-contract';
import type { KubeletClient } from '../client.ts';
import type { KubeletContext } from '../context.ts';
import { statusPatch, writeStatus } from '../pod/status-writer.ts';
import { SerialWorkers } from '../serial-workers.ts';
import { notReady } from './ready.ts';
import { componentStatus, containerIdOf, type ProcessSeen } from './status.ts';

/** How often one that is ready is asked, and one that is not. */
interface Pace {
  readonly steadyMs: number;
  readonly againMs: number;
  /**
   * How long one that was deleted is gone before it comes back. Clients that wait for the end of a Pod look for its name:
   * `kubectl delete` misses an end that is followed by a Pod of the same name at once, and waits for ever.
   */
  readonly goneMs: number;
}
const PACE: Pace = { steadyMs: 10_000, againMs: 1_000, goneMs: 1_000 };
/** So many failures in a row make one that was ready not ready, as a probe's `failureThreshold` does. */
const FAILURES = 3;

export class ComponentPods {
  readonly #pace: Pace;
  readonly #context: KubeletContext;
  readonly #client: KubeletClient;
  readonly #components: ReadonlyMap<string, HomeComponent>;
  readonly #pods = new Map<string, Pod>();
  /** Failures in a row of a run that was ready, by Pod. */
  readonly #failing = new Map<string, { readonly pid: number; readonly times: number }>();
  /** When each that was deleted went. */
  readonly #goneAtMs = new Map<string, number>();
  readonly #workers: SerialWorkers;
  #watcher: FSWatcher | undefined;

  constructor(context: KubeletContext, client: KubeletClient, pace = PACE) {
    this.#pace = pace;
    this.#context = context;
    this.#client = client;
    this.#components = new Map(
      componentsOf(context.config, context.node).map((component) => [component.podName, component]),
    );
    this.#workers = new SerialWorkers({
      clock: context.clock,
      work: (name) => this.#sync(name),
      onError: (pod, error) =>
        context.log.info({ pod, error: messageOf(error) }, 'a component cannot be shown yet, trying again'),
    });
  }

  /** Whether the Pod has the place of a component; containers are never run for it. */
  owns({ metadata }: Pod): boolean {
    return (
      metadata.namespace === COMPONENT_NAMESPACE &&
      metadata.annotations?.[MIRROR_ANNOTATION] !== undefined &&
      this.#components.has(metadata.name ?? '')
    );
  }

  /** The component that a Pod stands for, if it is the very Pod that is shown. */
  componentOf({ namespace, name, uid }: PodRef): HomeComponent | undefined {
    const isShown = namespace === COMPONENT_NAMESPACE && this.#pods.get(name)?.metadata.uid === uid;
    return isShown ? this.#components.get(name) : undefined;
  }

  /** The present run of a component's process; undefined: it does not run. */
  runOf({ process }: HomeComponent): ProcessSeen['run'] {
    const path = `${this.#context.paths.run}/${process}.pid`;
    const pid = readPidFile(path);
    const written = pid === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    // The supervisor writes it when it has started the process.
    return pid === undefined || written === undefined
      ? undefined
      : { pid, startedAtMs: Math.floor(written.mtimeMs) };
  }

  /** Whether the process was started again since its Pod is shown. */
  hasPrevious({ podName }: HomeComponent): boolean {
    return (this.#pods.get(podName)?.status?.containerStatuses?.[0]?.restartCount ?? 0) > 0;
  }

  podChanged(pod: Pod): void {
    const name = pod.metadata.name ?? '';
    this.#pods.set(name, pod);
    this.#workers.wake(name);
  }

  podGone(pod: Pod): void {
    const name = pod.metadata.name ?? '';
    if (this.#pods.get(name)?.metadata.uid !== pod.metadata.uid) return;
    this.#pods.delete(name);
    this.#goneAtMs.set(name, this.#context.clock.now());
    this.#workers.wake(name);
  }

  /** Called when all Pods that the API has were told. */
  start(): void {
    const { run } = this.#context.paths;
    mkdirSync(run, { recursive: true, mode: 0o700 });
    this.#watcher = watch(run, (_, file) => {
      for (const { podName, process } of this.#components.values())
        if (file === `${process}.pid`) this.#workers.wake(podName);
    });
    for (const name of this.#components.keys()) this.#workers.wake(name);
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#workers.close();
  }

  async #sync(podName: string): Promise<{ readonly againAtMs?: number }> {
    const component = this.#components.get(podName);
    if (component === undefined) return {};
    const desired = mirrorPod(component, this.#context.node);
    const pod = this.#pods.get(podName);
    if (pod === undefined) {
      const { clock } = this.#context;
      const leftMs =
        (this.#goneAtMs.get(podName) ?? Number.NEGATIVE_INFINITY) + this.#pace.goneMs - clock.now();
      // More than all of it: the clock was put back.
      if (leftMs > 0 && leftMs <= this.#pace.goneMs) return { againAtMs: clock.now() + leftMs };
      this.#goneAtMs.delete(podName);
      await this.#create(desired);
      return {};
    }
    const { metadata } = pod;
    const isOld =
      metadata.annotations?.[MIRROR_ANNOTATION] !== desired.metadata.annotations?.[MIRROR_ANNOTATION];
    if (metadata.deletionTimestamp !== undefined || isOld) {
      await this.#delete(pod);
      return {};
    }
    return this.#tell(component, pod);
  }

  async #tell(component: HomeComponent, pod: Pod): Promise<{ readonly againAtMs: number }> {
    const { clock, node } = this.#context;
    const seen = await this.#look(component, pod);
    const status = componentStatus(component, pod.status, seen, nodeAddresses(node), clock.now());
    const patch = statusPatch(pod.status, status);
    if (patch !== undefined) await writeStatus(this.#client, pod, patch);
    const isSteady = seen.ready && !this.#failing.has(component.podName);
    const { steadyMs, againMs } = this.#pace;
    return { againAtMs: clock.now() + (isSteady ? steadyMs : againMs) };
  }

  async #look(component: HomeComponent, pod: Pod): Promise<ProcessSeen> {
    const { podName, process } = component;
    const run = this.runOf(component);
    const problem = run === undefined ? undefined : await notReady(component, this.#context);
    if (run === undefined || problem === undefined) this.#failing.delete(podName);
    if (run === undefined) return { ready: false, message: `process ${process} does not run` };
    if (problem === undefined) return { run, ready: true, message: '' };
    const before = this.#failing.get(podName);
    const times = before?.pid === run.pid ? before.times + 1 : 1;
    this.#failing.set(podName, { pid: run.pid, times });
    const [was] = pod.status?.containerStatuses ?? [];
    const wasReady = was?.ready === true && was.containerID === containerIdOf(run);
    return { run, ready: wasReady && times < FAILURES, message: problem };
  }

  async #create(pod: Pod): Promise<void> {
    try {
      await this.#client.create(resources.pods, pod);
    } catch (error) {
      // Its event is under way.
      if (!isStatus(error, 'AlreadyExists')) throw error;
    }
  }

  async #delete({ metadata: { namespace, name = '', uid } }: Pod): Promise<void> {
    try {
      await this.#client.delete(
        resources.pods,
        { namespace, name },
        { gracePeriodSeconds: 0, preconditions: { uid } },
      );
    } catch (error) {
      if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
    }
  }
}
