/** Probes of running containers: one timer per probe, results in memory, a wake-up when a verdict changes. */
import type { Container, Pod, PodProbe } from '@podvisor/api';
import type { PodEvents } from '../client.ts';
import type { KubeletContext } from '../context.ts';
import {
  allContainers,
  type ContainerHistory,
  type ContainerRecord,
  type ObservedPod,
  type ProbeState,
  uidOf,
} from '../pod/types.ts';
import { check } from './check.ts';
import { count, DEFAULTS, type Tally } from './tally.ts';

type Kind = 'startup' | 'liveness' | 'readiness';

interface Watched {
  readonly pod: Pod;
  readonly container: Container;
  readonly record: ContainerRecord;
  readonly tallies: Map<Kind, Tally>;
  readonly cancels: Map<Kind, () => void>;
  failed: string | undefined;
}

export interface ProbesOptions {
  readonly context: KubeletContext;
  readonly events: PodEvents;
  /** A verdict changed. */
  wake(uid: string): void;
}

export class Probes {
  readonly #options: ProbesOptions;
  /** By Pod UID and container name. */
  readonly #watched = new Map<string, Watched>();

  constructor(options: ProbesOptions) {
    this.#options = options;
  }

  /** Verdicts on the newest run of each container. Without probes a running container is started and ready. */
  states(uid: string, containers: ReadonlyMap<string, ContainerHistory>): ReadonlyMap<string, ProbeState> {
    const states = new Map<string, ProbeState>();
    for (const [name, [latest]] of containers) {
      if (latest?.state.kind !== 'running') continue;
      const watched = this.#watched.get(`${uid}/${name}`);
      if (watched === undefined || watched.record.id !== latest.record.id) continue;
      const started =
        watched.container.startupProbe === undefined ||
        (watched.tallies.get('startup')?.verdict ?? wasSo('startup', watched));
      const isReady =
        watched.container.readinessProbe === undefined || watched.tallies.get('readiness')?.verdict === true;
      states.set(name, {
        started,
        ready: started && isReady,
        ...(watched.failed === undefined ? {} : { failed: watched.failed }),
      });
    }
    return states;
  }

  /** Begins probing containers that run and ends probing those that do not. */
  sync(pod: Pod, observed: ObservedPod): void {
    const uid = uidOf(pod);
    for (const container of allContainers(pod)) {
      const latest = observed.containers.get(container.name)?.[0];
      const key = `${uid}/${container.name}`;
      if (latest?.state.kind !== 'running' || latest.record.stopping !== undefined) {
        if (latest?.state.kind !== 'running') this.forgetContainer(uid, container.name);
        continue;
      }
      if (this.#watched.get(key)?.record.id === latest.record.id) continue;
      this.forgetContainer(uid, container.name);
      const watched: Watched = {
        pod,
        container,
        record: latest.record,
        tallies: new Map(),
        cancels: new Map(),
        failed: undefined,
      };
      this.#watched.set(key, watched);
      const ip = observed.sandbox.ips[0] ?? '';
      if (container.startupProbe === undefined || wasSo('startup', watched))
        this.#afterStartup(key, watched, ip);
      else this.#schedule(key, watched, 'startup', container.startupProbe, ip);
    }
  }

  forgetContainer(uid: string, name: string): void {
    const key = `${uid}/${name}`;
    for (const cancel of this.#watched.get(key)?.cancels.values() ?? []) cancel();
    this.#watched.delete(key);
  }

  forget(uid: string): void {
    for (const key of this.#watched.keys()) {
      if (key.startsWith(`${uid}/`)) this.forgetContainer(uid, key.slice(uid.length + 1));
    }
  }

  close(): void {
    for (const { cancels } of this.#watched.values()) for (const cancel of cancels.values()) cancel();
    this.#watched.clear();
  }

  #afterStartup(key: string, watched: Watched, ip: string): void {
    const { livenessProbe, readinessProbe } = watched.container;
    if (livenessProbe !== undefined) this.#schedule(key, watched, 'liveness', livenessProbe, ip);
    if (readinessProbe !== undefined) this.#schedule(key, watched, 'readiness', readinessProbe, ip);
  }

  #schedule(key: string, watched: Watched, kind: Kind, probe: PodProbe, ip: string): void {
    watched.tallies.set(kind, {
      verdict: kind === 'liveness' || wasSo(kind, watched),
      streak: 0,
      last: undefined,
    });
    this.#after((probe.initialDelaySeconds ?? 0) * 1000, key, watched, kind, probe, ip);
  }

  #after(ms: number, key: string, watched: Watched, kind: Kind, probe: PodProbe, ip: string): void {
    const cancel = this.#options.context.clock.after(
      ms,
      () => void this.#tick(key, watched, kind, probe, ip),
    );
    watched.cancels.set(kind, cancel);
  }

  async #tick(key: string, watched: Watched, kind: Kind, probe: PodProbe, ip: string): Promise<void> {
    const { context, events, wake } = this.#options;
    const { record, container, pod } = watched;
    const target = { context, record, container, ip, hostNetwork: pod.spec.hostNetwork === true };
    const { ok, message } = await check(
      probe,
      target,
      (probe.timeoutSeconds ?? DEFAULTS.timeoutSeconds) * 1000,
    );
    if (this.#watched.get(key) !== watched) return;
    const before = watched.tallies.get(kind) ?? { verdict: false, streak: 0, last: undefined };
    const after = count(before, ok, probe);
    watched.tallies.set(kind, after);
    if (!ok) events.event(watched.pod, 'Warning', 'Unhealthy', `${title(kind)} probe failed: ${message}`);
    const gaveUp =
      kind !== 'readiness' && !ok && after.streak >= (probe.failureThreshold ?? DEFAULTS.failureThreshold);
    if (gaveUp) watched.failed = `${title(kind)} probe failed: ${message}`;
    if (after.verdict !== before.verdict || gaveUp) wake(uidOf(watched.pod));
    if (gaveUp) return;
    if (kind === 'startup' && after.verdict) {
      this.#afterStartup(key, watched, ip);
      return;
    }
    this.#after((probe.periodSeconds ?? DEFAULTS.periodSeconds) * 1000, key, watched, kind, probe, ip);
  }
}

function title(kind: Kind): string {
  return kind[0]?.toUpperCase() + kind.slice(1);
}

/**
 * Until it is known better, a container lives but is neither started nor ready, unless the API was told so
 * of this very run: a restart of the kubelet changes no verdict.
 */
function wasSo(kind: Kind, { pod, container, record }: Watched): boolean {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const told = statuses.find(
    (s) => s.name === container.name && s.containerID?.endsWith(`//${record.id}`) === true,
  );
  return (kind === 'startup' ? told?.started : told?.ready) === true;
}
