import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_METRICS, HANDLER_METRICS, NODE_METRICS, PROCESS_METRICS, QUEUE_METRICS } from '@podvisor/api';
import { exposition } from '@podvisor/base';
import { domainState, vmiOf } from '../testing/objects.ts';
import { Metrics } from './metrics.ts';

test('serves what the catalogue promises, also before anything runs', async () => {
  const names = (await new Metrics().families()).map(({ definition }) => definition.name);
  const promised = [ALL_METRICS, PROCESS_METRICS, QUEUE_METRICS, HANDLER_METRICS, NODE_METRICS].flatMap(
    (group) => Object.values(group).map(({ name }) => name),
  );
  assert.deepEqual(names.toSorted(), promised.toSorted());
});

/** QEMUs that were started without a monitor for numbers. */
const WITHOUT_MONITOR = { numbers: { read: async () => undefined } };
const NOTHING_FOUND = { found: [], certificates: () => ({}) };

const STATS = {
  'cpu.time': 2_500_000_000,
  'balloon.current': 131_072,
  'net.count': 1,
  'net.0.name': 'tap0',
  'net.0.rx.bytes': 7,
  'net.0.tx.bytes': 8,
  'block.count': 1,
  'block.0.name': 'vda',
  'block.0.rd.reqs': 3,
  'block.0.rd.times': 1_000_000,
  'vcpu.maximum': 1,
  'vcpu.0.state': 1,
  'vcpu.0.time': 1_000_000_000,
  'guest.filesystem.count': 1,
  'guest.filesystem.0.mount': '/',
  'guest.filesystem.0.disk': 'vda1',
  'guest.filesystem.0.type': 'ext4',
  'guest.filesystem.0.total': 100,
  'guest.filesystem.0.used': 40,
};

test('a guest in numbers; one whose launcher is silent is left out', async () => {
  const metrics = new Metrics();
  const vmi = vmiOf({ phase: 'Running', volumeStatus: [{ name: 'root', target: 'vda' }] });
  const taps = { tap0: 'default' };
  metrics.serve({
    nodeName: 'node-1',
    ...NOTHING_FOUND,
    emulationAllowed: () => true,
    deprecatedMachineTypes: () => ['pc-1.0'],
    measured: () => [
      { ...WITHOUT_MONITOR, vmi, taps, connection: { ask: async () => JSON.stringify(STATS) } },
      { ...WITHOUT_MONITOR, vmi, taps, connection: { ask: () => Promise.reject(new Error('no answer')) } },
    ],
  });
  metrics.synced(vmi);
  const text = exposition(await metrics.families());
  const own = `node="node-1",namespace="${vmi.metadata?.namespace}",name="${vmi.metadata?.name}"`;
  for (const line of [
    'kubevirt_virt_handler_ready_status 1',
    'kubevirt_configuration_emulation_enabled 1',
    'kubevirt_node_deprecated_machine_types{node="node-1",machine_type="pc-1.0"} 1',
    `kubevirt_vmi_cpu_usage_seconds_total{${own}} 2.5`,
    `kubevirt_vmi_memory_actual_balloon_bytes{${own}} 134217728`,
    `kubevirt_vmi_network_receive_bytes_total{${own},interface="default"} 7`,
    `kubevirt_vmi_network_traffic_bytes_total{${own},interface="default",type="tx"} 8`,
    `kubevirt_vmi_storage_iops_read_total{${own},drive="root"} 3`,
    `kubevirt_vmi_storage_read_times_seconds_total{${own},drive="root"} 0.001`,
    `kubevirt_vmi_vcpu_seconds_total{${own},id="0",state="running"} 1`,
    `kubevirt_vmi_filesystem_used_bytes{${own},disk_name="vda1",mount_point="/",file_system_type="ext4"} 40`,
    `kubevirt_vmi_sync_total{${own}} 1`,
  ])
    assert.ok(text.split('\n').includes(line), `${line}\nnot in\n${text}`);
});

test('what QEMU says itself comes first; one that does not answer is left out, and its launcher is not asked', async () => {
  const metrics = new Metrics();
  const vmi = vmiOf({ phase: 'Running' });
  const asked: string[] = [];
  const connection = {
    ask: async (question: string) => {
      asked.push(question);
      return JSON.stringify(STATS);
    },
  };
  const reads: unknown[] = [];
  const told = domainState({ agentConnected: true });
  metrics.serve({
    nodeName: 'node-1',
    ...NOTHING_FOUND,
    emulationAllowed: () => true,
    deprecatedMachineTypes: () => [],
    measured: () => [
      {
        ...{ vmi, connection, told, taps: { tap0: 'default' } },
        numbers: {
          read: async (...args) => {
            reads.push(args);
            return { 'cpu.time': 1e9, 'block.count': 1, 'block.0.volume': 'root', 'block.0.rd.reqs': 4 };
          },
        },
      },
      {
        vmi,
        connection,
        taps: { tap0: 'default' },
        numbers: { read: () => Promise.reject(new Error('no answer')) },
      },
    ],
  });
  const text = exposition(await metrics.families());
  assert.match(text, /^kubevirt_vmi_storage_iops_read_total\{.*drive="root"\} 4$/m);
  assert.equal(text.match(/^kubevirt_vmi_cpu_usage_seconds_total\{/gm)?.length, 1);
  assert.deepEqual(reads, [[['tap0'], told]]);
  assert.deepEqual(asked, []);
});

test('guests are adopted when the last launcher is in our hands', async () => {
  const metrics = new Metrics();
  const vmi = vmiOf({ phase: 'Running' });
  const adoption = async (): Promise<readonly unknown[]> =>
    (await metrics.families()).find(
      ({ definition }) => definition === NODE_METRICS.virtHandlerAdoptionSeconds,
    )?.samples ?? [];
  metrics.serve({
    ...NOTHING_FOUND,
    nodeName: 'node-1',
    emulationAllowed: () => false,
    deprecatedMachineTypes: () => [],
    measured: () => [],
    found: [vmi],
  });
  assert.deepEqual(await adoption(), []);
  metrics.adopted(vmi);
  assert.equal((await adoption()).length, 1);
});

test('200 guests are put into words in a fraction of a second', async () => {
  const metrics = new Metrics();
  const vmi = vmiOf({ phase: 'Running', volumeStatus: [{ name: 'root', target: 'vda' }] });
  const answer = JSON.stringify(STATS);
  metrics.serve({
    ...NOTHING_FOUND,
    nodeName: 'node-1',
    emulationAllowed: () => true,
    deprecatedMachineTypes: () => [],
    measured: () =>
      Array.from({ length: 200 }, () => ({
        ...WITHOUT_MONITOR,
        vmi,
        taps: {},
        connection: { ask: async () => answer },
      })),
  });
  const before = process.cpuUsage();
  const text = exposition(await metrics.families());
  const ms = process.cpuUsage(before).user / 1000;
  assert.ok(text.length > 100_000);
  assert.ok(ms < 500, `${ms.toFixed(0)} ms of CPU`);
});

test('a migration away from here in numbers, asked for only while it runs', async () => {
  const metrics = new Metrics();
  const asked: string[] = [];
  const moving = (completed: boolean) =>
    vmiOf({
      phase: 'Running',
      migrationState: { sourceNode: 'node-1', startTimestamp: '2026-01-01T00:00:00Z', completed },
    });
  const progress = {
    dataTotalBytes: 10,
    dataProcessedBytes: 6,
    dataRemainingBytes: 4,
    dirtyRateBytesPerSecond: '?',
  };
  let vmi = moving(false);
  metrics.serve({
    ...NOTHING_FOUND,
    nodeName: 'node-1',
    emulationAllowed: () => true,
    deprecatedMachineTypes: () => [],
    measured: () => [
      {
        ...WITHOUT_MONITOR,
        vmi,
        taps: {},
        connection: {
          ask: async (question: string) => {
            asked.push(question);
            return JSON.stringify(question === 'getDomainStats' ? STATS : progress);
          },
        },
      },
    ],
  });
  const text = exposition(await metrics.families());
  assert.match(text, /^kubevirt_vmi_migration_data_bytes_total\{.*\} 10$/m);
  assert.match(text, /^kubevirt_vmi_migration_data_processed_bytes\{.*\} 6$/m);
  assert.match(text, /^kubevirt_vmi_migration_data_remaining_bytes\{.*\} 4$/m);
  assert.doesNotMatch(text, /^kubevirt_vmi_migration_dirty_memory_rate_bytes\{/m);
  vmi = moving(true);
  assert.doesNotMatch(exposition(await metrics.families()), /^kubevirt_vmi_migration_data_bytes_total\{/m);
  assert.deepEqual(asked, ['getDomainStats', 'getMigrationProgress', 'getDomainStats']);
});

test('panics are counted until the VMI is gone', async () => {
  const metrics = new Metrics();
  const vmi = vmiOf({ phase: 'Running' });
  const text = async (): Promise<string> => exposition(await metrics.families());
  metrics.panicked(vmi);
  metrics.panicked(vmi);
  assert.match(await text(), /^kubevirt_vmi_guest_os_panic_total\{.*\} 2$/m);
  metrics.forget(vmi.metadata?.namespace ?? '', vmi.metadata?.name ?? '');
  assert.doesNotMatch(await text(), /^kubevirt_vmi_guest_os_panic_total\{/m);
});
