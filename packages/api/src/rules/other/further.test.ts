import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../../config/cluster-config.ts';
import type { VirtualMachineInstance } from '../../types/index.ts';
import { validateVmCreate } from '../validate-vm.ts';
import { validateVmiUpdate } from '../validate-vmi-update.ts';
import { validatePreference } from './preference.ts';
import { validateClone } from './clone.ts';
import { validateExport } from './export.ts';
import { validateInstancetype } from './instancetype.ts';
import { validatePool, validateReplicaSet } from './replica-set.ts';
import { validateRestore, validateSnapshot } from './snapshot.ts';

const config = clusterConfig();
const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm' };

test('what a copy shall have of its own is checked', () => {
  const fieldsOf = (spec: object): string[] =>
    validateClone({ spec: { source, ...spec } } as never, config, 'CREATE').causes.map(({ field }) => field);
  assert.deepEqual(fieldsOf({ newMacAddresses: { a: 'x', b: '', c: '02:00:00:00:00:01' } }), [
    'spec.newMacAddresses.a',
  ]);
  assert.deepEqual(fieldsOf({ patches: ['{}', '{'] }), ['spec.patches[1]']);
  assert.deepEqual(fieldsOf({ volumeNamePolicy: 'PrefixTargetName' }), []);
  assert.deepEqual(fieldsOf({ volumeNamePolicy: 'Guess' }), ['spec.volumeNamePolicy']);
});

test('an instancetype overcommits within reason, and is told what is out of date', () => {
  const of = (memory: object, more: object = {}): ReturnType<typeof validateInstancetype> =>
    validateInstancetype({ cpu: { guest: 1 }, memory: { guest: '1Gi', ...memory }, ...more });
  assert.equal(
    of({ overcommitPercent: 150 }).message,
    "spec.memory.overcommitPercent '150': must be in range between 0 and 100.",
  );
  assert.ok(!of({ overcommitPercent: 10, hugepages: { pageSize: '2Mi' } }).allowed);
  assert.deepEqual(of({}).warnings, []);
  assert.match(of({}, { launchSecurity: {} }).warnings[0] ?? '', /^launchSecurity is deprecated/);
});

test('an export of a template asks for the gate and the deployment before anything else', () => {
  const isRefusedFor = (field: string, configuration: object, spec: object = {}): boolean =>
    validateExport(
      { spec: { source: { kind: 'VirtualMachineTemplate', apiGroup: 'other', name: '', ...spec } } } as never,
      clusterConfig({ spec: { configuration } }),
    ).causes.some((cause) => cause.field === field);
  const developerConfiguration = { featureGates: ['OCIExport', 'Template'] };
  assert.ok(isRefusedFor('spec.source.kind', {}));
  assert.ok(
    isRefusedFor('spec.source.kind', { developerConfiguration, virtTemplateDeployment: { enabled: false } }),
  );
  assert.ok(isRefusedFor('spec.source.APIGroup', { developerConfiguration }));
  assert.ok(isRefusedFor('spec.source.name', { developerConfiguration }));
});

test('a snapshot that becomes another VM must be readable before anything else is said', () => {
  const patches = ['{"op": "replace", "path": "/status/x", "value": "y"}'];
  const restore = (found: object): string =>
    validateRestore({ spec: { target: source, virtualMachineSnapshotName: 's', patches } } as never, {
      config,
      snapshot: undefined,
      hasContent: false,
      snapshotVm: undefined,
      target: undefined,
      restores: [],
      ...found,
    }).message;
  assert.match(restore({}), /^patching is valid only/);
  assert.equal(restore({ snapshot: { status: {} } }), 'snapshot content name is nil in vmSnapshot status');
  const snapshot = { status: { virtualMachineSnapshotContentName: 'c' } };
  assert.match(restore({ snapshot }), /"c" not found$/);
  assert.equal(restore({ snapshot, hasContent: true }), 'unexpected snapshot source');
  assert.match(restore({ snapshot, hasContent: true, snapshotVm: {} }), /^patching is valid only/);
});

test('a snapshot that does not know its source does not make the target another one', () => {
  const snapshotVm = { spec: { template: { spec: { domain: { devices: { tpm: { persistent: true } } } } } } };
  const restore = (sourceUID: string | undefined): boolean =>
    validateRestore({ spec: { target: source, virtualMachineSnapshotName: 's' } } as never, {
      config,
      snapshot: { status: { sourceUID, virtualMachineSnapshotContentName: 'c' } } as never,
      hasContent: true,
      snapshotVm: snapshotVm as never,
      target: { metadata: { uid: 'mine' } } as never,
      restores: [],
    }).allowed;
  assert.deepEqual([restore('mine'), restore('other'), restore(undefined)], [true, false, true]);
});

test('utility volumes are never permanent and do not change', () => {
  const vmiWith = (claimName: string, status: object = {}): VirtualMachineInstance =>
    ({
      spec: { domain: { devices: {} }, utilityVolumes: [{ name: 'u', claimName }] },
      status,
    }) as never;
  const gates = { developerConfiguration: { featureGates: ['UtilityVolumes'] } };
  const context = {
    config: clusterConfig({ spec: { configuration: gates } }),
    isKubeVirtServiceAccount: true,
  };
  const changed = validateVmiUpdate(vmiWith('b'), vmiWith('a'), context);
  assert.equal(changed.message, 'utility volume u has changed');
  const old = { ...vmiWith('a', { volumeStatus: [{ name: 'u' }] }), spec: { domain: { devices: {} } } };
  assert.match(
    validateVmiUpdate(vmiWith('a'), old as never, context).message,
    /cannot be a permanent volume/,
  );
});

test('a text that is no duration, and less than nothing, cannot be read', () => {
  const deadline = (failureDeadline: string): string =>
    validateSnapshot({ spec: { source, failureDeadline } } as never, config).message;
  assert.deepEqual(['5m', '1h30m', '0', '.5s'].map(deadline), ['', '', '', '']);
  assert.equal(deadline('soon'), 'time: invalid duration "soon"');
  assert.equal(deadline('5'), 'time: missing unit in duration "5"');
  assert.equal(deadline('1Gi'), 'time: unknown unit "Gi" in duration "1Gi"');
  assert.equal(deadline(''), 'time: invalid duration ""');
  assert.match(
    validateInstancetype({ cpu: { guest: -1 }, memory: { guest: '1Gi' } }).message,
    /CPUInstancetype.spec.cpu.guest of type uint32$/,
  );
});

test('a spec that means the same has not been changed', () => {
  const restore = (spec: object, before: object): boolean =>
    validateRestore(
      { spec: { target: source, ...spec } } as never,
      {
        config,
        snapshot: undefined,
        hasContent: false,
        snapshotVm: undefined,
        target: undefined,
        restores: [],
      },
      { spec: { target: source, ...before } } as never,
    ).allowed;
  assert.deepEqual([restore({ patches: [] }, {}), restore({ patches: ['x'] }, {})], [true, false]);
});

test('a template that says nothing of its VMI asks for the defaults', () => {
  const metadata = { labels: { app: 'a' } };
  const selector = { matchLabels: { app: 'a' } };
  const set = (spec: object): readonly string[] =>
    validateReplicaSet({ spec: { selector, ...spec } } as never, config).causes.map(({ field }) => field);
  assert.deepEqual(set({ template: { metadata } }), []);
  assert.deepEqual(set({ template: {} }), ['spec.selector']);
  assert.deepEqual(set({}), ['spec.template']);
  const vm = (spec: object): readonly string[] =>
    validateVmCreate({ metadata: {}, spec: { runStrategy: 'Halted', ...spec } } as never, {
      config,
    }).causes.map(({ field }) => field);
  assert.deepEqual([vm({ template: {} }), vm({})], [[], ['spec.template']]);
  const pool = (template: object): readonly string[] =>
    validatePool(
      { spec: { selector, virtualMachineTemplate: { metadata, ...template } } } as never,
      config,
    ).causes.map(({ field }) => field);
  assert.deepEqual(pool({ spec: { runStrategy: 'Always', template: {} } }), []);
  assert.deepEqual(pool({ spec: { runStrategy: 'Always' } }), ['spec.virtualMachineTemplate.spec.template']);
});

test('the selector of a pool may be written otherwise, but not say something else', () => {
  const pool = (selector: object): never =>
    ({
      spec: { selector, virtualMachineTemplate: { spec: { runStrategy: 'Always', template: {} } } },
    }) as never;
  const fieldsOf = (old: object): readonly string[] =>
    validatePool(pool({}), config, pool(old)).causes.map(({ field }) => field);
  assert.deepEqual(fieldsOf({ matchExpressions: [] }), []);
  assert.deepEqual(fieldsOf({ matchLabels: { app: 'a' } }), ['spec.selector']);
});

test('a preference that counts below zero, or beyond 32 bits, cannot be read', () => {
  for (const spec of [
    { preferSpreadSocketToCoreRatio: -1 },
    { cpu: { spreadOptions: { ratio: -1 } } },
    { requirements: { cpu: { guest: -1 } } },
    { preferSpreadSocketToCoreRatio: 2 ** 32 },
    { cpu: { spreadOptions: { ratio: 2 ** 32 } } },
  ])
    assert.equal(validatePreference(spec as never).code, 400);
  assert.equal(validatePreference({ requirements: { cpu: { guest: 1 } } }).allowed, true);
});
