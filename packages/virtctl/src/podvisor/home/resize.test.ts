import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Pod } from '@podvisor/api';
import { whyNotEmpty } from './resize.ts';

const node = (name: string, unschedulable: boolean): Node => ({
  metadata: { name },
  spec: { unschedulable },
});
const pod = (name: string, nodeName: string, phase: 'Running' | 'Succeeded'): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: { nodeName, containers: [] },
  status: { phase },
});

const mirrored = (of: Pod): Pod => ({
  ...of,
  metadata: { ...of.metadata, annotations: { 'kubernetes.io/config.mirror': 'hash' } },
});

test('a node goes only when it is cordoned and nothing runs on it', () => {
  const cases: readonly (readonly [boolean, readonly Pod[], RegExp | undefined])[] = [
    [true, [], undefined],
    [true, [pod('done', 'b', 'Succeeded'), pod('elsewhere', 'a', 'Running')], undefined],
    [true, [mirrored(pod('virt-handler-b', 'b', 'Running'))], undefined],
    [false, [], /b is not cordoned/],
    [true, [pod('vm', 'b', 'Running')], /b still has 1 Pod \(default\/vm\)/],
  ];
  for (const [cordoned, pods, problem] of cases) {
    const text = whyNotEmpty('b', [node('a', false), node('b', cordoned)], pods).join();
    if (problem === undefined) assert.equal(text, '');
    else assert.match(text, problem);
  }
});

test('a node that never registered is empty', () => {
  assert.deepEqual(whyNotEmpty('c', [node('a', false)], []), []);
});
