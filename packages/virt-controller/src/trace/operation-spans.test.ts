import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { type Span, startTrace } from '@podvisor/kube';
import { OperationTimes } from '../metrics/operation-times.ts';
import { createdSpans } from './created-spans.ts';
import { operationSpans } from './operation-spans.ts';

test('a start is one trace over its components, told when it ended', () => {
  const heard: Span[] = [];
  const clock = new FakeClock(1_000);
  const times = new OperationTimes(clock, (ended) => heard.push(...operationSpans(ended)));
  times.begin('start', 'u', { namespace: 'n', name: 'a' }, 'pod-created');
  clock.advance(100);
  times.reached('start', 'u', 'pod-created', 'pod-running');
  clock.advance(400);
  times.reached('start', 'u', 'domain-running', 'running');
  assert.deepEqual(heard, []);
  times.end('start', 'u', 'succeeded');
  assert.deepEqual(
    heard.map(({ service, name, parent, fromMs, toMs }) => [service, name, parent, fromMs, toMs]),
    [
      ['virt-controller', 'start', null, 1000, 1500],
      ['virt-controller', 'pod-created', undefined, 1000, 1100],
      ['virt-launcher', 'domain-running', undefined, 1100, 1500],
    ],
  );
  for (const { trace } of heard) assert.deepEqual(trace, startTrace('u'));
});

test('two migrations of a VMI are two traces', () => {
  const ended = { operation: 'migration', id: 'u', namespace: 'n', name: 'a', succeeded: true, handoffs: [] };
  const [first] = operationSpans({ ...ended, beganMs: 1 });
  const [second] = operationSpans({ ...ended, beganMs: 2 });
  assert.notDeepEqual(first?.trace, second?.trace);
});

test('the VMI and its launcher Pod are told as they are made, other objects are not', () => {
  const vmi = { kind: 'VirtualMachineInstance', metadata: { namespace: 'n', name: 'a', uid: 'u' } };
  const owner = { apiVersion: 'kubevirt.io/v1', kind: vmi.kind, name: 'a', uid: 'u', controller: true };
  const metadata = { namespace: 'n', name: 'p', uid: 'v', ownerReferences: [owner] };
  const spans = (object: object) => createdSpans({ apiVersion: '', kind: '', ...object }, 1, 2);
  const made = [...spans(vmi), ...spans({ kind: 'Pod', metadata })];
  assert.deepEqual(
    made.map(({ name, parent, object }) => [name, parent, object]),
    [
      ['create-vmi', undefined, 'a'],
      ['create-pod', 'pod-created', 'a'],
    ],
  );
  for (const { trace } of made) assert.deepEqual(trace, startTrace('u'));
  const target = { ...metadata, labels: { 'kubevirt.io/migrationJobUID': 'm' } };
  assert.deepEqual(spans({ kind: 'Pod', metadata: target }), []);
  assert.deepEqual(spans({ kind: 'Pod', metadata: { ...metadata, ownerReferences: [] } }), []);
  assert.deepEqual(spans({ kind: 'Secret', metadata }), []);
});
