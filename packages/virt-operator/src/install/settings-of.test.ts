import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeVirt, Node } from '@podvisor/api';
import { podComponents } from './settings-of.ts';

const kubevirt: KubeVirt = { metadata: { name: 'kubevirt', namespace: 'kubevirt' }, spec: {} } as KubeVirt;
const node = (name: string, unschedulable = false): Node => ({ metadata: { name }, spec: { unschedulable } });
const replicas = (nodes: readonly Node[], infra?: number): number =>
  podComponents(
    infra === undefined ? kubevirt : { ...kubevirt, spec: { infra: { replicas: infra } } },
    { registry: 'r', tag: 't' },
    { nodes, monitoringKinds: [] },
  ).replicas;

test('two replicas where there are two nodes', () => {
  assert.equal(replicas([node('a')]), 1);
  assert.equal(replicas([node('a'), node('b')]), 2);
  assert.equal(replicas([node('a')], 3), 3);
});

test('a drain does not take a replica away: it would be one of those that answer the drain', () => {
  assert.equal(replicas([node('a', true), node('b')]), 2);
});
