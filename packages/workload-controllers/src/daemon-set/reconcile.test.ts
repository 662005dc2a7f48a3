import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DaemonSet, Node, Pod } from '@podvisor/api';
import { workloads } from '../workloads/resources.ts';
import { planRevision, REVISION_LABEL } from '../workloads/revision-history.ts';
import { NOW, podIn, type PodState, template } from '../testing/pods.ts';
import { daemonSetStatus, planDaemons, planDaemonSet, desiredDaemonOn, targetNode } from './reconcile.ts';

const set: DaemonSet = {
  metadata: { namespace: 'ns', name: 'agent', uid: 'u' },
  spec: {
    template,
    selector: { matchLabels: { app: 'web' } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
  },
};
const node = (name: string, taints: NonNullable<Node['spec']>['taints'] = []): Node => ({
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  spec: { taints },
});
const model: Pod = { metadata: {}, spec: template.spec };
const on = (nodeName: string, state: PodState, hash = 'new'): Pod =>
  podIn(state, `${nodeName}-${state}`, { labels: { [REVISION_LABEL]: hash } }, { nodeName });
const plan = (nodes: readonly Node[], pods: readonly Pod[]) => {
  const desiredByNode = new Map(nodes.map((n) => [n.metadata.name ?? '', desiredDaemonOn(model, n)]));
  const { create, delete: remove } = planDaemons(set, nodes, desiredByNode, pods, 'new', NOW);
  return [create.join(' '), remove.map(({ metadata }) => metadata.name).join(' ')];
};

test('one on each node that suits', () => {
  const taken = node('c', [{ key: 'k', effect: 'NoSchedule' }]);
  assert.deepEqual(plan([node('a'), node('b'), taken], [on('a', 'ready')]), ['b', '']);
});

test('a node in trouble keeps its daemon, one that evicts does not', () => {
  const unwell = node('a', [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }]);
  const evicting = node('b', [{ key: 'k', effect: 'NoExecute' }]);
  assert.deepEqual(plan([unwell, evicting], [on('a', 'ready'), on('b', 'ready')]), ['', 'b-ready']);
});

test('a failed one is removed, then replaced', () => {
  assert.deepEqual(plan([node('a')], [on('a', 'failed')]), ['', 'a-failed']);
  assert.deepEqual(plan([node('a')], []), ['a', '']);
});

test('a new template goes node by node', () => {
  const both = [on('a', 'ready', 'old'), on('b', 'ready', 'old')];
  assert.deepEqual(plan([node('a'), node('b')], both), ['', 'a-ready']);
  assert.deepEqual(plan([node('a'), node('b')], [on('a', 'running'), on('b', 'ready', 'old')]), ['', '']);
});

test('the status counts nodes', () => {
  const desiredByNode = new Map(
    [node('a'), node('b')].map((n) => [n.metadata.name ?? '', desiredDaemonOn(model, n)]),
  );
  assert.deepEqual(daemonSetStatus(set, desiredByNode, [on('a', 'ready')], 'new', NOW), {
    currentNumberScheduled: 1,
    numberMisscheduled: 0,
    desiredNumberScheduled: 2,
    numberReady: 1,
    observedGeneration: undefined,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 1,
  });
});

test('one pass: the revision, a Pod bound to its node, old revisions that nobody carries', () => {
  const observed = {
    set: { ...set, spec: { ...set.spec, revisionHistoryLimit: 0 } },
    nodes: [node('a')],
    owned: { pods: [], adopt: [], release: [] },
    history: [
      { metadata: { name: 'agent-old', labels: { [REVISION_LABEL]: 'old' } }, data: {}, revision: 1 },
    ],
    isUpToDate: true,
    now: NOW,
  };
  const first = planDaemonSet(observed);
  assert.equal(first.revision.write.kind, 'create');
  const [pod] = first.create;
  assert.ok(pod !== undefined && first.create.length === 1);
  assert.equal(targetNode(pod), 'a');
  assert.equal(pod.metadata.labels?.[REVISION_LABEL], first.revision.hash);
  assert.deepEqual(
    first.expire.map(({ metadata }) => metadata.name),
    ['agent-old'],
  );
  const behind = planDaemonSet({ ...observed, isUpToDate: false });
  assert.deepEqual([behind.create, behind.delete, behind.expire], [[], [], []]);
});

test('a revision that comes back gets the highest number', () => {
  const { write, name } = planRevision(workloads.daemonSets, set, []);
  assert.ok(write.kind === 'create');
  const later = { metadata: { name: 'agent-later' }, data: {}, revision: 2 };
  assert.deepEqual(planRevision(workloads.daemonSets, set, [write.revision, later]), {
    name,
    hash: write.revision.metadata.labels?.[REVISION_LABEL],
    write: { kind: 'renumber', revision: 3 },
  });
});
