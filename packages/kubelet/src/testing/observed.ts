/** Pods and observations for tests of pure code. */
import type { Container, Pod, PodSpec } from '@podvisor/api';
import type { ContainerHistory, ContainerRecord, ContainerRun, ObservedPod, RunState } from '../pod/types.ts';

export function testPod(spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    metadata: { name: 'p', namespace: 'ns', uid: 'uid-1', ...metadata },
    spec: { containers: [{ name: 'main', image: 'i' }], restartPolicy: 'Always', ...spec },
  };
}

export function container(name: string, more: Partial<Container> = {}): Container {
  return { name, image: 'i', ...more };
}

export function testRun(name: string, state: RunState, record: Partial<ContainerRecord> = {}): ContainerRun {
  const base = {
    id: `id-${name}`,
    podUid: 'uid-1',
    name,
    attempt: 0,
    image: 'i',
    imageId: 'i@1',
    backoffLevel: 0,
    pid: 7,
  };
  return { record: { ...base, ...record }, state };
}

export const running: RunState = { kind: 'running', pid: 7, startedAtMs: 0 };

export function exited(exitCode: number, finishedAtMs = 1000, startedAtMs = 0): RunState {
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return { kind: 'exited', exitCode, startedAtMs, finishedAtMs, reason, message: '' };
}

export function observed(runs: readonly ContainerRun[], more: Partial<ObservedPod> = {}): ObservedPod {
  const containers = new Map<string, ContainerHistory>();
  for (const run of runs) containers.set(run.record.name, [...(containers.get(run.record.name) ?? []), run]);
  return {
    sandbox: { kind: 'ready', ips: ['10.0.0.2'] },
    volumesReady: true,
    containers,
    problems: new Map(),
    probes: new Map(runs.map((run) => [run.record.name, { started: true, ready: true }])),
    tornDown: false,
    ...more,
  };
}
