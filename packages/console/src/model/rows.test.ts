import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { filterRows, rowsOf, toneOf } from './rows.ts';

const vm = (name: string, printableStatus: string): VirtualMachine =>
  ({
    metadata: { name, namespace: 'default', labels: { app: 'Web' } },
    spec: { template: { spec: { domain: { cpu: { cores: 2, sockets: 2 }, memory: { guest: '64Mi' } } } } },
    status: { printableStatus },
  }) as unknown as VirtualMachine;
const vmi = (name: string): VirtualMachineInstance =>
  ({
    metadata: { name, namespace: 'default' },
    status: { phase: 'Running', nodeName: 'node-1', interfaces: [{ ipAddress: '10.1.0.7' }] },
  }) as unknown as VirtualMachineInstance;

const rows = rowsOf(
  new Map([
    ['default/b', vm('b', 'Stopped')],
    ['default/a', vm('a', 'Running')],
  ]),
  new Map([
    ['default/a', vmi('a')],
    ['default/c', vmi('c')],
  ]),
);

test('a VM with its VMI is one row, a VMI alone is one too, in order', () => {
  assert.deepEqual(
    rows.map(({ name, status, node, address, cpus, isAlone }) => [
      name,
      status,
      node,
      address,
      cpus,
      isAlone,
    ]),
    [
      ['a', 'Running', 'node-1', '10.1.0.7', '4', false],
      ['b', 'Stopped', '', '', '4', false],
      ['c', 'Running', 'node-1', '10.1.0.7', '1', true],
    ],
  );
});

test('filters by every word, and by label', () => {
  const names = (text: string): string[] => filterRows(rows, text).map(({ name }) => name);
  assert.deepEqual(names(''), ['a', 'b', 'c']);
  assert.deepEqual(names('node-1 running'), ['a', 'c']);
  assert.deepEqual(names('app=web'), ['a', 'b']);
  assert.deepEqual(names('app=other'), []);
});

test('statuses that are bad, also when they name what is good', () => {
  for (const [status, tone] of [
    ['Running', 'good'],
    ['Stopped', 'still'],
    ['Starting', 'busy'],
    ['ErrImagePull', 'bad'],
    ['CrashLoopBackOff', 'bad'],
    ['ErrorUnschedulable', 'bad'],
  ] as const)
    assert.equal(toneOf(status), tone, status);
});

test('what has not changed is the same row; what came, went or changed is told', () => {
  const vm = (name: string, printableStatus: string) =>
    ({ metadata: { namespace: 'n', name }, status: { printableStatus } }) as unknown as VirtualMachine;
  const [a, b] = [vm('a', 'Running'), vm('b', 'Running')];
  const none = new Map();
  const first = rowsOf(
    new Map([
      ['n/b', b],
      ['n/a', a],
    ]),
    none,
  );
  assert.deepEqual(
    first.map(({ name }) => name),
    ['a', 'b'],
  );
  const second = rowsOf(
    new Map([
      ['n/b', vm('b', 'Stopped')],
      ['n/a', a],
    ]),
    none,
  );
  assert.equal(second[0], first[0]);
  assert.equal(second[1]?.status, 'Stopped');
  const vmi = { metadata: a.metadata, status: { nodeName: 'x' } } as unknown as VirtualMachineInstance;
  assert.equal(rowsOf(new Map([['n/a', a]]), new Map([['n/a', vmi]]))[0]?.node, 'x');
  assert.equal(rowsOf(new Map([['n/a', a]]), none)[0]?.node, '');
  assert.deepEqual(
    rowsOf(none, new Map([['n/a', vmi]])).map(({ isAlone }) => isAlone),
    [true],
  );
});
