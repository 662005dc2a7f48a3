/** Pods and workloads for tables. */
import type { Pod, PodTemplateSpec } from '@podvisor/api';

export const template: PodTemplateSpec = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'i:1' }] },
};

export type PodState = 'pending' | 'running' | 'ready' | 'succeeded' | 'failed' | 'terminating';

const PHASES = {
  pending: 'Pending',
  running: 'Running',
  ready: 'Running',
  terminating: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
} as const;

export const NOW = Date.parse('2026-01-01T01:00:00Z');

export function podIn(
  state: PodState,
  name: string = state,
  extra: Partial<Pod['metadata']> = {},
  spec: Partial<Pod['spec']> = {},
): Pod {
  const phase = PHASES[state];
  const ready = state === 'ready' || state === 'terminating' ? 'True' : 'False';
  return {
    metadata: {
      namespace: 'ns',
      name,
      uid: `uid-${name}`,
      labels: { app: 'web' },
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(state === 'terminating' ? { deletionTimestamp: '2026-01-01T00:00:30Z' } : {}),
      ...extra,
    },
    spec: { nodeName: 'a', containers: [{ name: 'c' }], ...spec },
    status: {
      phase,
      podIP: '10.0.0.1',
      conditions: [{ type: 'Ready', status: ready, lastTransitionTime: '2026-01-01T00:00:10Z' }],
      containerStatuses: [
        {
          name: 'c',
          ready: ready === 'True',
          restartCount: 0,
          image: 'i',
          imageID: 'i',
          ...(phase === 'Failed' || phase === 'Succeeded'
            ? {
                state: {
                  terminated: { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: '2026-01-01T00:59:55Z' },
                },
              }
            : {}),
        },
      ],
    },
  };
}
