import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricSpec } from '@podvisor/api';
import { limited, recommend } from './recommend.ts';
import type { MeasuredPod } from './types.ts';

const CPU = 1_000_000n;
const pod = (used: number | undefined, requested: number | null = 100): MeasuredPod => ({
  ready: true,
  requests: new Map(requested === null ? [] : [['cpu', BigInt(requested) * CPU]]),
  usage: used === undefined ? undefined : new Map([['cpu', BigInt(used) * CPU]]),
});
const cpu = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const replicas = (pods: MeasuredPod[], target: number): number | string => {
  const answer = recommend(cpu(target), pods.length, pods);
  return answer.kind === 'replicas' ? answer.replicas : answer.message;
};

test('replicas follow the use', () => {
  assert.equal(replicas([pod(100), pod(100)], 50), 4);
  assert.equal(replicas([pod(10), pod(10), pod(10), pod(10)], 50), 1);
  assert.equal(replicas([pod(52), pod(52)], 50), 2, 'within the tolerance');
  assert.equal(
    replicas([pod(100), pod(undefined)], 50),
    2,
    'what is not measured counts as idle when scaling up',
  );
  assert.equal(replicas([pod(10), pod(undefined)], 50), 2, 'and as busy when scaling down');
});

test('a Pod without a request has no utilization', () => {
  assert.match(String(replicas([pod(10, null)], 50)), /missing request for cpu/);
  assert.match(String(replicas([pod(undefined)], 50)), /no metrics returned/);
});

test('limits', () => {
  assert.deepEqual(limited(20, 8, 1, 10).reason, 'TooManyReplicas');
  assert.deepEqual(limited(20, 1, 1, 10), {
    replicas: 4,
    reason: 'ScaleUpLimit',
    message: 'the desired replica count is increasing faster than the maximum scale rate',
  });
  assert.equal(limited(0, 2, 1, 10).replicas, 1);
  assert.equal(limited(3, 2, 1, 10).reason, 'DesiredWithinRange');
});
