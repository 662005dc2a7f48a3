import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { ageText, table } from '../output/table.ts';
import { topCells, topRows } from './rows.ts';

const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'a', namespace: 'ns', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    template: { spec: { domain: { cpu: { cores: 2, sockets: 2 }, memory: { guest: '1Gi' }, devices: {} } } },
  },
  status: { printableStatus: 'Running' },
};
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', namespace: 'ns', uid: 'u', creationTimestamp: '2026-01-01T00:01:00Z' },
  spec: { domain: { devices: {} } },
  status: {
    nodeName: 'n1',
    phase: 'Running',
    memory: { guestCurrent: '2Gi' },
    currentCPUTopology: { cores: 4 },
  },
};
const metrics = [
  {
    metadata: { labels: { 'kubevirt.io/created-by': 'u' } },
    containers: [{ usage: { cpu: '250m', memory: '300Mi' } }, { usage: { cpu: '1', memory: '10Mi' } }],
  },
];
const stats = new Map([['u', { 'balloon.available': 2_000_000, 'balloon.usable': 1_592_400 }]]);
const nowMs = Date.parse('2026-01-01T00:02:30Z');

test('a running VM shows what it has and what it uses', () => {
  const [row] = topRows({ vms: [vm], vmis: [vmi], metrics, stats, nowMs });
  assert.ok(row !== undefined);
  const cells = ['a', 'Running', '4', '1250m', '2048Mi', '398Mi', '310Mi', '90s', 'n1', '-'];
  assert.deepEqual(topCells(row, true), cells);
});

test('a stopped VM shows what it would have, and unknown use is a dash', () => {
  const [row] = topRows({
    vms: [{ ...vm, status: { printableStatus: 'Stopped' } }],
    vmis: [],
    metrics,
    stats,
    nowMs,
  });
  assert.ok(row !== undefined);
  assert.deepEqual(topCells(row, false), ['a', 'Stopped', '4', '-', '1024Mi', '-', '-', '2m30s']);
});

test('a VMI without a VM has a row as well', () => {
  assert.equal(topRows({ vms: [], vmis: [vmi], metrics: [], stats, nowMs })[0]?.status, 'Running');
});

test('columns and ages as kubectl has them', () => {
  assert.equal(
    table(
      ['name', 'age'],
      [
        ['long-name', '1s'],
        ['x', ''],
      ],
    ),
    'NAME        AGE\nlong-name   1s\nx',
  );
  assert.deepEqual(
    [5, 119, 150, 3600, 8 * 3600, 200_000].map((s) => ageText(s * 1000)),
    ['5s', '119s', '2m30s', '60m', '8h', '2d'],
  );
});
