/** Each number about VMs, VMIs and migrations changes because the object did. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  annotations,
  CONTROLLER_METRICS as M,
  labels,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import type { MetricDefinition, MetricFamily } from '@podvisor/base';
import { Metrics } from './metrics.ts';
import { Transitions } from './transitions.ts';
import { vmFamilies } from './vm-metrics.ts';
import { migrationFamilies, vmiFamilies } from './vmi-metrics.ts';

interface World {
  readonly vm?: Partial<VirtualMachine>;
  readonly vmi?: Partial<VirtualMachineInstance>;
  readonly pod?: Pod;
  readonly claim?: PersistentVolumeClaim;
  readonly migration?: Partial<VirtualMachineInstanceMigration>;
}

const metadata = { name: 'a', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z' };
const devices = {};
const template = (domain: object, volumes: readonly object[] = []) =>
  ({ template: { spec: { domain: { devices, ...domain }, volumes } } }) as VirtualMachine['spec'];

function families({ vm, vmi, pod, claim, migration }: World): readonly MetricFamily[] {
  const vms: VirtualMachine[] =
    vm === undefined
      ? []
      : [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata, spec: template({}), ...vm }];
  const spec = { domain: { devices } };
  const vmis: VirtualMachineInstance[] =
    vmi === undefined
      ? []
      : [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata, spec, ...vmi }];
  const kind = 'VirtualMachineInstanceMigration';
  const migrations: VirtualMachineInstanceMigration[] =
    migration === undefined
      ? []
      : [{ apiVersion: 'kubevirt.io/v1', kind, metadata, spec: { vmiName: 'a' }, ...migration }];
  return [
    ...vmFamilies(vms, () => claim),
    ...vmiFamilies(vmis, () => (pod === undefined ? [] : [pod])),
    ...migrationFamilies(migrations),
  ];
}
const samplesOf = (world: World, definition: MetricDefinition): string =>
  JSON.stringify(families(world).find((family) => family.definition === definition)?.samples);

const status = (printableStatus: string): World => ({
  vm: {
    status: {
      printableStatus,
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' }],
    } as VirtualMachine['status'],
  },
});
const moved = (phase: string, migrationState = {}): World => ({
  migration: { status: { phase, migrationState } } as Partial<VirtualMachineInstanceMigration>,
});
const withVmi = (part: object): World => ({ vmi: part as Partial<VirtualMachineInstance> });
const volume = [{ name: 'root', persistentVolumeClaim: { claimName: 'disk' } }];
const claim = (storage: string) =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: {},
    status: { capacity: { storage } },
  }) as PersistentVolumeClaim;
const pod = (bytes: string) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, annotations: { [annotations.memoryOverheadBytes]: bytes } },
    spec: { containers: [] },
  }) as Pod;

const CASES: readonly (readonly [MetricDefinition, before: World, after: World])[] = [
  [M.vmInfo, status('Stopped'), status('Running')],
  [M.vmCreateDateTimestampSeconds, {}, { vm: {} }],
  [M.vmLabels, { vm: {} }, { vm: { metadata: { ...metadata, labels: { app: 'x' } } } }],
  [M.vmErrorStatusLastTransitionTimestampSeconds, status('Running'), status('CrashLoopBackOff')],
  [M.vmMigratingStatusLastTransitionTimestampSeconds, status('Running'), status('Migrating')],
  [M.vmNonRunningStatusLastTransitionTimestampSeconds, status('Running'), status('Stopped')],
  [M.vmRunningStatusLastTransitionTimestampSeconds, status('Stopped'), status('Running')],
  [M.vmStartingStatusLastTransitionTimestampSeconds, status('Stopped'), status('Starting')],
  [M.vmResourceLimits, { vm: {} }, { vm: { spec: template({ resources: { limits: { memory: '2Gi' } } }) } }],
  [M.vmResourceRequests, { vm: {} }, { vm: { spec: template({ memory: { guest: '1Gi' } }) } }],
  [
    M.vmVnicInfo,
    { vm: {} },
    { vm: { spec: template({ devices: { interfaces: [{ name: 'default', masquerade: {} }] } }) } },
  ],
  [
    M.vmDiskAllocatedSizeBytes,
    { vm: { spec: template({}, volume) }, claim: claim('1Gi') },
    { vm: { spec: template({}, volume) }, claim: claim('2Gi') },
  ],
  [M.vmiInfo, withVmi({ status: { phase: 'Scheduled' } }), withVmi({ status: { phase: 'Running' } })],
  [M.vmiGpuInfo, withVmi({}), withVmi({ spec: { domain: { devices: { gpus: [{ name: 'g' }] } } } })],
  [
    M.vmiVnicInfo,
    withVmi({}),
    withVmi({ spec: { domain: { devices: { interfaces: [{ name: 'default', bridge: {} }] } } } }),
  ],
  [
    M.vmiStatusAddresses,
    withVmi({}),
    withVmi({ status: { interfaces: [{ name: 'default', ipAddresses: ['10.0.0.2'] }] } }),
  ],
  [
    M.vmiNonEvictable,
    withVmi({}),
    withVmi({ spec: { domain: { devices }, evictionStrategy: 'LiveMigrate' } }),
  ],
  [
    M.vmiNumberOfOutdated,
    withVmi({}),
    withVmi({ metadata: { ...metadata, labels: { [labels.outdatedLauncherImage]: '' } } }),
  ],
  [
    M.vmiLauncherMemoryOverheadBytes,
    { ...withVmi({}), pod: pod('100') },
    { ...withVmi({}), pod: pod('200') },
  ],
  [M.vmiMigrationsInUnsetPhase, {}, { migration: {} }],
  [M.vmiMigrationsInPendingPhase, {}, moved('Pending')],
  [M.vmiMigrationsInSchedulingPhase, {}, moved('Scheduling')],
  [M.vmiMigrationsInRunningPhase, {}, moved('Running')],
  [
    M.vmiMigrationStartTimeSeconds,
    moved('Scheduled'),
    moved('Running', { startTimestamp: '2026-01-01T00:00:00Z' }),
  ],
  [
    M.vmiMigrationEndTimeSeconds,
    moved('Running'),
    moved('Succeeded', { endTimestamp: '2026-01-01T00:00:00Z' }),
  ],
  [M.vmiMigrationSucceeded, moved('Running'), moved('Succeeded')],
  [M.vmiMigrationFailed, moved('Running'), moved('Failed')],
];

for (const [definition, before, after] of CASES)
  test(definition.name, () =>
    assert.notEqual(samplesOf(before, definition), samplesOf(after, definition), 'nothing changed'),
  );

test('what is heard as it happens: VMs that come, phases of migrations, the way from deletion to the end', () => {
  const transitions = new Transitions();
  const counts = (): string =>
    JSON.stringify(transitions.families().map(({ samples }) => samples.length > 0));
  assert.equal(counts(), JSON.stringify([false, false, false, false, false]));
  const reached = (phase: string) => ({
    phase,
    phaseTransitionTimestamps: [{ phase, phaseTransitionTimestamp: '2026-01-01T00:00:09Z' }],
  });
  transitions.onVmCreated({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata,
    spec: template({}),
  });
  const vmi = (state: object): VirtualMachineInstance =>
    ({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:05Z' },
      spec: { domain: { devices } },
      status: state,
    }) as VirtualMachineInstance;
  transitions.onVmi(vmi(reached('Succeeded')), vmi({ phase: 'Running' }));
  const migration = (state: object): VirtualMachineInstanceMigration =>
    ({ metadata, spec: { vmiName: 'a' }, status: state }) as VirtualMachineInstanceMigration;
  transitions.onMigration(migration(reached('Running')), migration({ phase: 'Scheduled' }));
  assert.equal(counts(), JSON.stringify([true, true, true, true, true]));
});

test('no family is left out', () => {
  const here = new Set(CASES.map(([definition]) => definition.name));
  const all = families({}).map(({ definition }) => definition.name);
  assert.deepEqual(
    all.filter((name) => !here.has(name)),
    [],
  );
});

test('ready means that the API server answers', () => {
  const metrics = new Metrics();
  const value = (definition: MetricDefinition): number | undefined =>
    metrics.families().find((family) => family.definition === definition)?.samples[0]?.value;
  const request = { method: 'GET', path: '/api/v1/pods', host: 'h', seconds: 0.01, isWatch: false };
  metrics.client.observe({ ...request, code: 200 });
  assert.equal(value(M.virtControllerReadyStatus), 1);
  assert.equal(value(M.virtOperatorReadyStatus), 1);
  metrics.client.observe({ ...request, code: 0 });
  assert.equal(value(M.virtControllerReadyStatus), 0);
  assert.equal(value(M.virtControllerLeadingStatus), 0);
  assert.equal(value(M.virtOperatorLeadingStatus), 0);
});
