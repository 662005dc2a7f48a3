import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AutoscalerObservation, type AutoscalerPlan, planAutoscaler } from './plan.ts';
import type { MeasuredPod } from './types.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const CPU = 1_000_000n;
const pod = (used: number): MeasuredPod => ({
  ready: true,
  requests: new Map([['cpu', 100n * CPU]]),
  usage: new Map([['cpu', BigInt(used) * CPU]]),
});
const observed = (pods: readonly MeasuredPod[], part: Partial<AutoscalerObservation> = {}) => ({
  autoscaler: {
    metadata: { namespace: 'ns', name: 'a', generation: 1 },
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'web' },
      maxReplicas: 5,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
        },
      ],
    },
  },
  target: { kind: 'seen' as const, wanted: pods.length, present: pods.length, pods },
  history: [],
  now: NOW,
  ...part,
});
const reasons = ({ status }: AutoscalerPlan): string =>
  (status.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is}:${reason}`).join(' ');

test('a busy target grows, up to the limit', () => {
  const plan = planAutoscaler(observed([pod(100), pod(100)]));
  assert.equal(plan.scale?.replicas, 4);
  assert.match(plan.scale.message, /New size: 4; reason: resource utilization above target/);
  assert.equal(plan.status.lastScaleTime, '2026-01-01T01:00:00Z');
  const most = planAutoscaler(observed([pod(200), pod(200), pod(200)]));
  assert.equal(most.scale?.replicas, 5);
  assert.match(reasons(most), /ScalingLimited=True:TooManyReplicas/);
});

test('an idle target shrinks when it was idle all the time', () => {
  const idle = [pod(1), pod(1), pod(1), pod(1)];
  const busyBefore = [{ atMs: NOW - 60_000, replicas: 4 }];
  const early = planAutoscaler(observed(idle, { history: busyBefore }));
  assert.equal(early.scale, undefined);
  assert.deepEqual(early.history, [...busyBefore, { atMs: NOW, replicas: 1 }]);
  const later = planAutoscaler(observed(idle, { history: busyBefore, now: NOW + 300_000 }));
  assert.equal(later.scale?.replicas, 1);
  assert.deepEqual(later.history, [{ atMs: NOW + 300_000, replicas: 1 }]);
});

test('a target that cannot be read, is switched off or is not measured keeps its size, and it is told why', () => {
  const unread = planAutoscaler(observed([], { target: { kind: 'unreadable', why: 'gone' } }));
  assert.match(reasons(unread), /AbleToScale=False:FailedGetScale/);
  const off = planAutoscaler(observed([]));
  assert.match(reasons(off), /ScalingActive=False:ScalingDisabled/);
  assert.equal(off.status.desiredReplicas, 0);
  const blind = planAutoscaler(observed([{ ready: true, requests: new Map(), usage: undefined }]));
  assert.match(reasons(blind), /ScalingActive=False:FailedGetResourceMetric/);
  for (const { scale } of [unread, off, blind]) assert.equal(scale, undefined);
});
