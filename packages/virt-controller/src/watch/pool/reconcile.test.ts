import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachinePool } from '@podvisor/api';
import { autohealing } from './autohealing.ts';
import { buildMember, freeIndexes, memberSpec, type PoolTemplate } from './member.ts';
import { type PoolObservation, reconcilePool } from './reconcile.ts';
import { inOrder } from './selection.ts';

const labels = { pool: 'p' };
const REVISION = 'kubevirt.io/vm-pool-revision-name';

function templateWith(more: object = {}): VirtualMachinePool['spec']['virtualMachineTemplate'] {
  return {
    metadata: { labels },
    spec: { runStrategy: 'Always', template: { spec: { domain: { devices: {} }, ...more } } },
  };
}

function pool(spec: Partial<VirtualMachinePool['spec']> = {}, generation = 2): VirtualMachinePool {
  return {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'p', namespace: 'default', uid: 'pool', generation },
    spec: { replicas: 3, selector: { matchLabels: labels }, virtualMachineTemplate: templateWith(), ...spec },
  };
}

const owner = {
  apiVersion: 'pool.kubevirt.io/v1beta1',
  kind: 'VirtualMachinePool',
  name: 'p',
  uid: 'pool',
  controller: true,
};

function member(index: number, revision = 'p-2', more: Partial<VirtualMachine> = {}): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      name: `p-${index}`,
      namespace: 'default',
      uid: `vm-${index}`,
      labels: { ...labels, [REVISION]: revision },
      ownerReferences: [owner],
      creationTimestamp: `2026-01-01T00:00:0${index}Z`,
    },
    spec: { runStrategy: 'Always', template: { spec: { domain: { devices: {} } } } },
    status: { ready: true },
    ...more,
  };
}

function running(index: number, revision: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: `p-${index}`, uid: `vmi-${index}`, labels: { [REVISION]: revision } },
    spec: { domain: { devices: {} } },
    status: { phase: 'Running' },
  };
}

interface Given {
  readonly pool?: VirtualMachinePool;
  readonly members?: readonly VirtualMachine[];
  readonly vmis?: readonly VirtualMachineInstance[];
  readonly templates?: Readonly<Record<string, PoolTemplate>>;
}

function plan({ pool: set = pool(), members = [], vmis = [], templates = {} }: Given) {
  const observed: PoolObservation = {
    pool: set,
    candidates: members,
    vm: (name) => members.find(({ metadata }) => metadata?.name === name),
    copies: [],
    vmiOf: ({ metadata }) => vmis.find((vmi) => vmi.metadata?.name === metadata?.name),
    template: (name) => (name === `p-${set.metadata?.generation}` ? set.spec : templates[name]),
    nodeLabels: () => undefined,
    random: () => 0.5,
    cacheCaughtUp: true,
    nowMs: Date.parse('2026-01-01T01:00:00Z'),
  };
  return reconcilePool(observed);
}

const names = (objects: readonly { readonly metadata?: { readonly name?: string } }[]) =>
  objects.map(({ metadata }) => metadata?.name);
const three = [member(0), member(1), member(2)];

test('machines get the lowest free numbers', () => {
  assert.deepEqual(plan({ members: [member(1)] }).create, [0, 2]);
  assert.deepEqual(
    freeIndexes(2, (index) => index === 0),
    [1, 2],
  );
});

test('scale-in: descending order, keeping disks', () => {
  const proactive = {
    selectionPolicy: { sortPolicy: 'DescendingOrder' },
    statePreservation: 'Offline',
  } as const;
  const made = plan({ pool: pool({ replicas: 1, scaleInStrategy: { proactive } }), members: three });
  assert.deepEqual(names(made.delete.map(({ vm }) => vm)), ['p-2', 'p-1']);
  assert.ok(made.delete.every(({ keepState }) => keepState));
});

test('scale-in: unmanaged takes nobody, opportunistic only who is off', () => {
  const unmanaged = plan({ pool: pool({ replicas: 0, scaleInStrategy: { unmanaged: {} } }), members: three });
  assert.equal(unmanaged.delete.length, 0);
  const scaleInStrategy = { opportunistic: {} };
  const made = plan({
    pool: pool({ replicas: 0, scaleInStrategy }),
    members: three,
    vmis: [running(0, 'p-2')],
  });
  assert.deepEqual(names(made.delete.map(({ vm }) => vm)), ['p-1', 'p-2']);
});

test('machines that a selector names go first', () => {
  const marked = { ...member(2), metadata: { ...member(2).metadata, labels: { ...labels, old: 'yes' } } };
  const policy = {
    sortPolicy: 'AscendingOrder',
    selectors: { labelSelector: { matchLabels: { old: 'yes' } } },
  } as const;
  const order = inOrder([member(0), member(1), marked], policy, {
    nodeLabels: () => undefined,
    random: () => 0,
  });
  assert.deepEqual(names(order), ['p-2', 'p-0', 'p-1']);
});

const before = { 'p-1': pool().spec };
const changed = pool({ virtualMachineTemplate: templateWith({ hostname: 'new' }) });

test('a pool that was only scaled changes no machine', () => {
  const made = plan({ members: [member(0, 'p-1'), member(1, 'p-1'), member(2, 'p-1')], templates: before });
  assert.equal(made.update.length, 0);
});

test('a new template reaches machines first, then their guests', () => {
  const members = [member(0, 'p-1'), member(1), member(2)];
  const vmis = [running(0, 'p-1'), running(1, 'p-1'), running(2, 'p-2')];
  const made = plan({ pool: changed, members, vmis, templates: before });
  assert.deepEqual(names(made.update), ['p-0']);
  assert.deepEqual(names(made.restart), ['p-1']);
});

test('opportunistic updates restart nobody, unmanaged ones change nothing', () => {
  const given = {
    members: [member(0, 'p-1'), member(1), member(2)],
    vmis: [running(1, 'p-1')],
    templates: before,
  };
  const opportunistic = plan({
    ...given,
    pool: pool({ ...changed.spec, updateStrategy: { opportunistic: {} } }),
  });
  assert.deepEqual([opportunistic.update.length, opportunistic.restart.length], [1, 0]);
  const unmanaged = plan({ ...given, pool: pool({ ...changed.spec, updateStrategy: { unmanaged: {} } }) });
  assert.deepEqual([unmanaged.update.length, unmanaged.restart.length], [0, 0]);
});

test('maxUnavailable bounds how many guests restart at a time', () => {
  const vmis = [0, 1, 2].map((index) => running(index, 'p-1'));
  const made = plan({
    pool: pool({ ...changed.spec, maxUnavailable: 1 }),
    members: three,
    vmis,
    templates: before,
  });
  assert.equal(made.restart.length, 1);
  const oneDown = [{ ...member(0), status: { ready: false } }, member(1), member(2)];
  const waiting = plan({
    pool: pool({ ...changed.spec, maxUnavailable: '34%' }),
    members: oneDown,
    vmis,
    templates: before,
  });
  assert.equal(waiting.restart.length, 0);
});

test('guests whose template is the same are only relabelled', () => {
  const vmis = [running(0, 'p-1')];
  const made = plan({ members: three, vmis, templates: before });
  assert.deepEqual([made.restart.length, made.relabel.length], [0, 1]);
});

test('other DataVolumes mean another machine', () => {
  const spec = {
    runStrategy: 'Always',
    dataVolumeTemplates: [{ metadata: { name: 'disk' }, spec: {} }],
    template: { spec: { domain: { devices: {} }, volumes: [{ name: 'd', dataVolume: { name: 'disk' } }] } },
  };
  const withDisk = pool({ virtualMachineTemplate: { metadata: { labels }, spec } });
  const made = plan({ pool: withDisk, members: [member(0, 'p-1'), member(1), member(2)], templates: before });
  assert.deepEqual(names(made.delete.map(({ vm }) => vm)), ['p-0']);
});

test('names inside a machine carry its number', () => {
  const spec = memberSpec(
    {
      nameGeneration: { appendIndexToConfigMapRefs: true, appendIndexToSecretRefs: true },
      virtualMachineTemplate: {
        spec: {
          dataVolumeTemplates: [{ metadata: { name: 'disk' }, spec: {} }],
          template: {
            spec: {
              domain: { devices: {} },
              volumes: [
                { name: 'a', dataVolume: { name: 'disk' } },
                { name: 'b', persistentVolumeClaim: { claimName: 'disk' } },
                { name: 'c', dataVolume: { name: 'shared' } },
                { name: 'd', configMap: { name: 'cm' } },
                { name: 'e', secret: { secretName: 's' } },
                { name: 'f', cloudInitNoCloud: { secretRef: { name: 's' } } },
              ],
            },
          },
        },
      },
    },
    7,
  );
  assert.equal(spec.dataVolumeTemplates?.[0]?.metadata?.name, 'disk-7');
  assert.deepEqual(spec.template.spec?.volumes, [
    { name: 'a', dataVolume: { name: 'disk-7' } },
    { name: 'b', persistentVolumeClaim: { claimName: 'disk-7' } },
    { name: 'c', dataVolume: { name: 'shared' } },
    { name: 'd', configMap: { name: 'cm-7' } },
    { name: 'e', secret: { secretName: 's-7' } },
    { name: 'f', cloudInitNoCloud: { secretRef: { name: 's-7' } } },
  ]);
});

test('a member carries its revision, down to its guests', () => {
  const vm = buildMember(pool(), 4);
  assert.equal(vm.metadata?.name, 'p-4');
  assert.equal(vm.metadata?.labels?.[REVISION], 'p-2');
  assert.equal(vm.spec.template.metadata?.labels?.[REVISION], 'p-2');
});

test('machines that never come up are made anew, after a while', () => {
  const set = pool({ autohealing: { startUpFailureThreshold: 2, minFailingToStartDuration: '1m' } });
  const failing = member(0, 'p-2', {
    status: {
      startFailure: { consecutiveFailCount: 2 },
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  });
  const at = (time: string) => autohealing(set, [failing, member(1)], Date.parse(time));
  assert.deepEqual(at('2026-01-01T00:00:30Z'), { broken: [], recheckMs: 30_000 });
  assert.deepEqual(names(at('2026-01-01T00:01:00Z').broken), ['p-0']);
});
