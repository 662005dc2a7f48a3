import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../../config/cluster-config.ts';
import type { VirtualMachineInstance } from '../../types/index.ts';
import { validateVmiUpdate } from '../validate-vmi-update.ts';
import { validateClone } from './clone.ts';
import { validateInstancetype } from './instancetype.ts';
import { validateKubeVirtUpdate } from './kubevirt.ts';
import { validateRestore } from './snapshot.ts';

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

test('a refused configuration is warned about as well, and gates that are off are not on', () => {
  const kubevirt = (configuration: object): never => ({ spec: { configuration } }) as never;
  const gates = { featureGates: ['LiveMigration', 'NUMA'], disabledFeatureGates: ['NUMA'] };
  const admission = validateKubeVirtUpdate(kubevirt({ developerConfiguration: gates }), kubevirt({}));
  assert.deepEqual([admission.allowed, admission.warnings.length], [false, 1]);
  const ratio = validateKubeVirtUpdate(kubevirt({ additionalGuestMemoryOverheadRatio: '1,5' }), kubevirt({}));
  assert.match(
    ratio.message,
    /cannot be parsed into float: strconv.ParseFloat: parsing "1,5": invalid syntax/,
  );
});

test('a snapshot that does not know its source does not make the target another one', () => {
  const snapshotVm = { spec: { template: { spec: { domain: { devices: { tpm: { persistent: true } } } } } } };
  const restore = (sourceUID: string | undefined): boolean =>
    validateRestore({ spec: { target: source } } as never, {
      config,
      snapshot: { status: { sourceUID } } as never,
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
