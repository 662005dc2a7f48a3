import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Pod, PodStatus } from '@podvisor/api';
import { MIRROR_ANNOTATION } from '@podvisor/kube';
import { PendingPods } from './pending-pods.ts';
import { SchedulerCache } from './scheduler-cache.ts';

const node = (name: string): Node => ({ metadata: { name }, status: { allocatable: { cpu: '4' } } });
const pod = (name: string, nodeName?: string, phase?: PodStatus['phase']): Pod => ({
  metadata: { namespace: 'ns', name },
  spec: { nodeName, containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] },
  status: { phase },
});
const cpu = (cache: SchedulerCache): number =>
  Number((cache.nodes()[0]?.requested.get('cpu') ?? 0n) / 1_000_000_000n);

test('an assumed Pod counts until the API knows better', () => {
  const cache = new SchedulerCache();
  cache.setNode(node('a'));
  cache.assume(pod('p'), 'a');
  assert.equal(cpu(cache), 1);
  cache.setPod(pod('p'));
  assert.equal(cpu(cache), 1, 'news from before the binding');
  cache.setPod(pod('p', 'a'));
  assert.equal(cpu(cache), 1);
  cache.forget('ns/p');
  assert.equal(cpu(cache), 1, 'it is not assumed any more');
});

test('Pods that were placed on a node are counted; a mirror Pod was not, and one that changes counts once', () => {
  const cache = new SchedulerCache();
  cache.setNode(node('a'));
  const mirror = { ...pod('m', 'a'), metadata: { name: 'm', annotations: { [MIRROR_ANNOTATION]: 'x' } } };
  for (const there of [pod('p', 'a'), pod('q', 'a'), mirror, pod('p', 'a', 'Running')]) cache.setPod(there);
  assert.equal(cache.nodes()[0]?.placed, 2);
  cache.removePod('ns/p');
  cache.setPod(pod('q', 'a', 'Succeeded'));
  assert.equal(cache.nodes()[0]?.placed, 0);
});

test('a binding that failed gives the room back', () => {
  const cache = new SchedulerCache();
  cache.setNode(node('a'));
  cache.assume(pod('p'), 'a');
  cache.forget('ns/p');
  assert.equal(cpu(cache), 0);
});

test('a finished or deleted Pod holds nothing', () => {
  const cache = new SchedulerCache();
  cache.setNode(node('a'));
  cache.setPod(pod('p', 'a', 'Running'));
  cache.setPod(pod('q', 'a', 'Running'));
  assert.equal(cpu(cache), 2);
  cache.setPod(pod('p', 'a', 'Succeeded'));
  cache.removePod('ns/q');
  assert.equal(cpu(cache), 0);
});

test('only a Pod that held room makes room for others when it goes', () => {
  const cache = new SchedulerCache();
  cache.setNode(node('a'));
  cache.setPod(pod('waits'));
  cache.setPod(pod('runs', 'a', 'Running'));
  cache.setPod(pod('ended', 'a', 'Succeeded'));
  cache.assume(pod('bound'), 'a');
  cache.assume(pod('refused'), 'a');
  assert.equal(cache.removePod('ns/waits'), false, 'it fitted nowhere');
  assert.equal(cache.removePod('ns/runs'), true);
  assert.equal(cache.removePod('ns/ended'), false, 'its room was given back when it ended');
  assert.equal(cache.removePod('ns/bound'), true, 'the echo of its binding never came');
  assert.equal(cache.forget('ns/refused'), true);
  assert.equal(cache.removePod('ns/refused'), false, 'told when the binding failed');
  assert.equal(cache.forget('ns/waits'), false);
});

test('Pods may be known before their node', () => {
  const cache = new SchedulerCache();
  cache.setPod(pod('p', 'a'));
  cache.setNode(node('a'));
  assert.equal(cpu(cache), 1);
  cache.removeNode('a');
  cache.setNode(node('a'));
  assert.equal(cpu(cache), 1);
});

test('waiting Pods come by priority, then in their order; parked ones only after a change', () => {
  const pods = new Map([
    ['ns/a', pod('a')],
    ['ns/b', { ...pod('b'), spec: { ...pod('b').spec, priority: 5 } }],
    ['ns/c', pod('c')],
  ]);
  const pending = new PendingPods();
  const take = (): (string | undefined)[] =>
    pending.take((key) => pods.get(key)).map(({ metadata }) => metadata.name);
  for (const key of pods.keys()) pending.add(key);
  assert.deepEqual(take(), ['b', 'a', 'c']);
  pending.park('ns/a');
  assert.deepEqual(take(), []);
  assert.equal(pending.unpark(), true);
  assert.equal(pending.unpark(), false);
  assert.deepEqual(take(), ['a']);
  pending.park('ns/a');
  pending.remove('ns/a');
  assert.equal(pending.unpark(), false);
});
