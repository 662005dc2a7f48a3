import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../config/cluster-config.ts';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../types/index.ts';
import { validateMigrationCreate } from './validate-migration.ts';

const kind = 'VirtualMachineInstanceMigration';
const id = { migrationID: 'one' };

function migration(spec: object, status?: object): VirtualMachineInstanceMigration {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind,
    metadata: { name: 'm', namespace: 'ns', uid: 'u' },
    spec: { vmiName: 'vm', ...spec },
    ...(status && { status }),
  } as VirtualMachineInstanceMigration;
}

interface State {
  readonly reason?: string;
  readonly others?: readonly VirtualMachineInstanceMigration[];
  readonly gates?: readonly string[];
}

function admit(spec: object, { gates = [], others = [], reason }: State = {}) {
  const conditions = reason ? [{ type: 'LiveMigratable', status: 'False', reason, message: 'why' }] : [];
  return validateMigrationCreate(migration(spec), {
    config: clusterConfig({
      spec: { configuration: { developerConfiguration: { disabledFeatureGates: gates } } },
    }),
    vmi: { status: { phase: 'Running', conditions } } as unknown as VirtualMachineInstance,
    migrations: others,
    isController: false,
  });
}

const cases: readonly [string, object, State, number][] = [
  ['a VMI that can move', {}, {}, 200],
  ['one that cannot', {}, { reason: 'DisksNotLiveMigratable' }, 400],
  ['to another cluster disks do not matter', { receive: id }, { reason: 'DisksNotLiveMigratable' }, 200],
  ['to another cluster all else does', { receive: id }, { reason: 'HostDeviceNotLiveMigratable' }, 400],
  ['one that is moving', {}, { others: [migration({}, { phase: 'Running' })] }, 400],
  ['one that is about to move', {}, { others: [migration({})] }, 400],
  [
    'one that has moved',
    {},
    { others: [migration({}, { phase: 'Failed' }), migration({}, { phase: 'Succeeded' })] },
    200,
  ],
  ['the gate comes after the VMI', { receive: id }, { gates: ['DecentralizedLiveMigration'] }, 422],
  [
    'the gate comes after the VMI, which cannot move',
    { receive: id },
    { gates: ['DecentralizedLiveMigration'], reason: 'HostDeviceNotLiveMigratable' },
    400,
  ],
  ['two ids', { receive: id, sendTo: { migrationID: 'two', connectURL: 'a:1' } }, {}, 422],
  ['a priority', { priority: 'system-critical' }, { reason: 'DisksNotLiveMigratable' }, 422],
  ['no VMI is named', { vmiName: '' }, {}, 422],
];

for (const [name, spec, state, code] of cases) {
  test(`a new migration: ${name}`, () => assert.equal(admit(spec, state).code, code));
}
