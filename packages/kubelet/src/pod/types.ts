/** What is known of a Pod on this node: from disk and from what really runs. */
import type { Container, Pod } from '@podvisor/api';

/** One run of a container. Everything that must survive a restart of the kubelet is in here, on disk. */
export interface ContainerRecord {
  readonly id: string;
  readonly podUid: string;
  readonly name: string;
  /** 0 for the first run; the restart count. */
  readonly attempt: number;
  readonly image: string;
  readonly imageId: string;
  /** First process on the machine; with its start time and the boot it names one process for ever. */
  readonly pid?: number;
  readonly startTicks?: string;
  readonly bootId?: string;
  /** The monitor that will tell of the end; while it lives, an end that it has not told is no end. */
  readonly monitor?: { readonly pid: number; readonly startTicks: string };
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  /** How many failures in a row led here; decides the delay before the next attempt. */
  readonly backoffLevel: number;
  /** The container was asked to end. */
  readonly stopping?: { readonly sinceMs: number; readonly killAtMs: number; readonly reason: string };
  /** Uses the machine's process ids, so that killing the first process does not kill the rest. */
  readonly hostPid?: boolean;
  readonly terminal?: boolean;
  readonly terminationMessagePolicy?: string;
}

/** What the machine says about one run. */
export type RunState =
  | { readonly kind: 'creating' }
  | { readonly kind: 'running'; readonly pid: number; readonly startedAtMs: number }
  | {
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly startedAtMs: number | undefined;
      readonly finishedAtMs: number;
      readonly reason: string;
      readonly message: string;
    };

export interface ContainerRun {
  readonly record: ContainerRecord;
  readonly state: RunState;
}

/** The latest runs of one container, newest first. */
export type ContainerHistory = readonly ContainerRun[];

/** Why a container is not there yet; lives in memory only, since trying again finds it out anew. */
export interface ContainerProblem {
  readonly reason: string;
  readonly message: string;
  readonly retryAtMs: number;
  readonly failures: number;
  /** The image could not be pulled: from this time on it is told that the next try is waited for. */
  readonly backOff?: { readonly image: string; readonly atMs: number };
}

/** Results of a running container's probes. */
export interface ProbeState {
  /** Startup probe (or none) has passed. */
  readonly started: boolean;
  readonly ready: boolean;
  /** Liveness or startup probe gave up; the container must be restarted. */
  readonly failed?: string;
}

export interface Sandbox {
  readonly kind: 'absent' | 'ready';
  readonly ips: readonly string[];
}

export interface ObservedPod {
  readonly sandbox: Sandbox;
  readonly volumesReady: boolean;
  readonly containers: ReadonlyMap<string, ContainerHistory>;
  readonly problems: ReadonlyMap<string, ContainerProblem>;
  readonly probes: ReadonlyMap<string, ProbeState>;
  /** Setting up network, volumes or devices failed. */
  readonly setUpProblem?: ContainerProblem;
  /** The Pod was refused or ended by the node; it never runs (again). */
  readonly rejected?: { readonly reason: string; readonly message: string };
  /** Everything of the Pod was removed from the machine. */
  readonly tornDown: boolean;
}

/** An init container that keeps running beside the others. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

export function initContainers(pod: Pod): readonly Container[] {
  return pod.spec.initContainers ?? [];
}

export function allContainers(pod: Pod): readonly Container[] {
  return [...initContainers(pod), ...pod.spec.containers];
}

export function uidOf(pod: Pod): string {
  return pod.metadata.uid ?? '';
}

/** `namespace/name`, for logs and messages. */
export function podName(pod: Pod): string {
  return `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name ?? ''}`;
}
