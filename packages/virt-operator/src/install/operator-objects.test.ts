import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorObjects } from './operator-objects.ts';

const text = JSON.stringify(
  operatorObjects({ namespace: 'vms', registry: 'r.example/p', tag: 'v1', replicas: 2 }).find(
    ({ kind }) => kind === 'Deployment',
  ),
);

test('replicas of virt-operator avoid each other’s nodes, so that one node does not take both', () =>
  assert.match(
    text,
    /"preferredDuringSchedulingIgnoredDuringExecution":\[\{"podAffinityTerm":\{"labelSelector":\{"matchLabels":\{"kubevirt.io":"virt-operator"\}\},"topologyKey":"kubernetes.io\/hostname"\}/,
  ));

test('virt-operator has no privilege, and mounts nothing of a node', () => {
  for (const right of ['"runAsNonRoot":true', '"drop":["ALL"]', '"readOnlyRootFilesystem":true'])
    assert.ok(text.includes(right), right);
  assert.ok(!text.includes('hostPath'));
});
