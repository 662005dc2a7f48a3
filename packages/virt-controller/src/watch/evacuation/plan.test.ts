import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type Node, type VirtualMachineInstance, type VMISpec } from '@podvisor/api';
import { migrationWith } from '../../testing/migrations.ts';
import { vmiWith } from '../../testing/objects.ts';
import { type EvacuationView, planEvacuation } from './plan.ts';

const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };
const drained: Node = { ...node, spec: { taints: [{ key: 'kubevirt.io/drain', effect: 'NoSchedule' }] } };
const movable = { conditions: [{ type: 'LiveMigratable', status: 'True' }] };

function guest(
  name: string,
  more: { strategy?: VMISpec['evictionStrategy']; marked?: boolean; stays?: boolean; source?: string } = {},
): VirtualMachineInstance {
  return vmiWith(
    {
      phase: 'Running',
      nodeName: 'n1',
      ...(more.stays ? {} : movable),
      ...(more.marked ? { evacuationNodeName: 'n1' } : {}),
    },
    {
      metadata: {
        name,
        uid: name,
        annotations: more.source === undefined ? {} : { 'kubevirt.io/eviction-source': more.source },
      },
      spec: more.strategy === undefined ? {} : { evictionStrategy: more.strategy },
    },
  );
}

function plan(vmis: readonly VirtualMachineInstance[], more: Partial<EvacuationView> = {}) {
  const { migrate, stuck } = planEvacuation({
    node,
    vmis,
    migrationsOf: () => [],
    isAskedFor: () => false,
    activeInCluster: 0,
    config: clusterConfig(),
    ...more,
  });
  const names = (list: readonly VirtualMachineInstance[]) => list.map(({ metadata }) => metadata?.name);
  return { migrate: names(migrate.map(({ vmi }) => vmi)), stuck: names(stuck) };
}

test('who was marked leaves; on a drained node also who has a strategy for it', () => {
  const all = [
    guest('marked', { marked: true }),
    guest('none'),
    guest('live', { strategy: 'LiveMigrate' }),
    guest('external', { strategy: 'External', marked: true }),
  ];
  assert.deepEqual(plan(all), { migrate: ['marked'], stuck: [] });
  assert.deepEqual(plan(all, { node: drained }), { migrate: ['marked', 'live'], stuck: [] });
  const fixed = guest('fixed', { strategy: 'LiveMigrateIfPossible', stays: true });
  assert.deepEqual(plan([fixed], { node: drained }), { migrate: [], stuck: ['fixed'] });
});

test('the limits of the cluster and of the node hold, and nobody is asked twice', () => {
  const all = ['a', 'b', 'c'].map((name) => guest(name, { marked: true }));
  assert.deepEqual(plan(all).migrate, ['a', 'b']);
  assert.deepEqual(plan(all, { activeInCluster: 4 }).migrate, ['a']);
  const open = {
    migrationsOf: (vmi: VirtualMachineInstance) => (vmi.metadata?.name === 'a' ? [migrationWith()] : []),
  };
  assert.deepEqual(plan(all, open).migrate, ['b']);
  assert.deepEqual(plan(all, { isAskedFor: () => true }).migrate, []);
});

test('a drain is urgent, a descheduler is not', () => {
  const view = {
    node,
    migrationsOf: () => [],
    isAskedFor: () => false,
    activeInCluster: 0,
    config: clusterConfig(),
  };
  const vmis = [guest('a', { marked: true }), guest('b', { marked: true, source: 'descheduler' })];
  const { migrate } = planEvacuation({ ...view, vmis });
  assert.deepEqual(
    migrate.map(({ priority }) => priority),
    ['system-critical', 'system-maintenance'],
  );
  assert.deepEqual(migrate[0]?.annotations, { 'kubevirt.io/evacuationMigration': 'n1' });
});
