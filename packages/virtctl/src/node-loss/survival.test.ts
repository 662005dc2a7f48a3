import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { survivalRows, survivalSummary } from './survival.ts';

const node = (name: string, more: object = {}): Node =>
  ({ metadata: { name, labels: { 'kubevirt.io/schedulable': 'true' } }, ...more }) as Node;
const vm = (name: string, runStrategy = 'Always'): VirtualMachine =>
  ({ metadata: { name, namespace: 'default' }, spec: { runStrategy } }) as VirtualMachine;
const leased = { type: 'FencedByLease', status: 'True', reason: 'LeaseRenewed', message: 'a lease is kept' };
const vmi = (
  name: string,
  conditions: readonly object[] = [leased],
  nodeName = 'a',
): VirtualMachineInstance =>
  ({
    metadata: { name, namespace: 'default' },
    status: { phase: 'Running', nodeName, conditions },
  }) as VirtualMachineInstance;

const both = [node('a'), node('b')];
const cases: readonly [string, Parameters<typeof survivalRows>[0], string, RegExp][] = [
  ['all is well', { vms: [vm('x')], vmis: [vmi('x')], nodes: both }, 'yes', /a lease is kept/],
  ['no VM', { vms: [], vmis: [vmi('x')], nodes: both }, 'no', /no VirtualMachine/],
  ['by hand', { vms: [vm('x', 'Manual')], vmis: [vmi('x')], nodes: both }, 'no', /run strategy is Manual/],
  [
    'local disk',
    {
      vms: [vm('x')],
      vmis: [vmi('x', [{ ...leased, status: 'False', reason: 'DiskIsLocal' }])],
      nodes: both,
    },
    'no',
    /^DiskIsLocal/,
  ],
  ['not told yet', { vms: [vm('x')], vmis: [vmi('x', [])], nodes: both }, 'no', /not said yet/],
  ['one node', { vms: [vm('x')], vmis: [vmi('x')], nodes: [node('a')] }, 'no', /no other node/],
  [
    'the other is cordoned',
    { vms: [vm('x')], vmis: [vmi('x')], nodes: [node('a'), node('b', { spec: { unschedulable: true } })] },
    'no',
    /no other node/,
  ],
  [
    'lost already',
    {
      vms: [vm('x')],
      vmis: [vmi('x', [leased, { type: 'NodeLost', status: 'True', message: 'silent' }])],
      nodes: both,
    },
    'lost',
    /silent/,
  ],
];
for (const [name, input, survives, why] of cases)
  test(name, () => {
    const [row] = survivalRows(input);
    assert.equal(row?.survives, survives);
    assert.match(row?.why ?? '', why);
  });

test('a line for each node', () => {
  const rows = survivalRows({ vms: [vm('x'), vm('y', 'Once')], vmis: [vmi('y'), vmi('x')], nodes: both });
  assert.deepEqual(survivalSummary(rows), ['If node a is lost, 1 of 2 VMs start elsewhere by themselves.']);
});
