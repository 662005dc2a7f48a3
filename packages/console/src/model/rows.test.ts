import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { countsOf, filterRows, nextOrder, orderedRows, rowsOf, toneOf } from './rows.ts';

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

const ALL = { text: '', status: '', node: '' };

test('filters by every word, and by label', () => {
  const names = (text: string): string[] => filterRows(rows, { ...ALL, text }).map(({ name }) => name);
  assert.deepEqual(names(''), ['a', 'b', 'c']);
  assert.deepEqual(names('node-1 running'), ['a', 'c']);
  assert.deepEqual(names('app=web'), ['a', 'b']);
  assert.deepEqual(names('app=other'), []);
});

test('filters by status and node exactly, and counts them', () => {
  const names = (filter: object): string[] => filterRows(rows, { ...ALL, ...filter }).map(({ name }) => name);
  assert.deepEqual(names({ status: 'Running' }), ['a', 'c']);
  assert.deepEqual(names({ status: 'Run' }), []);
  assert.deepEqual(names({ node: 'node-1', text: 'app=web' }), ['a']);
  assert.deepEqual(countsOf(rows, 'status'), [
    { value: 'Running', count: 2 },
    { value: 'Stopped', count: 1 },
  ]);
  assert.deepEqual(countsOf(rows, 'node'), [{ value: 'node-1', count: 2 }]);
});

test('rows are ordered by a column, backwards, and as they came', () => {
  const [row] = rows;
  assert.ok(row !== undefined);
  const sized = ['900Mi', '2Gi', '512Mi'].map((memory) => ({ ...row, memory }));
  const names = (order: Parameters<typeof orderedRows>[1]): string[] =>
    orderedRows(sized, order).map(({ memory }) => memory);
  const upwards = nextOrder(undefined, 'memory');
  const downwards = nextOrder(upwards, 'memory');
  assert.deepEqual(names(upwards), ['512Mi', '900Mi', '2Gi']);
  assert.deepEqual(names(downwards), ['2Gi', '900Mi', '512Mi']);
  assert.deepEqual(names(nextOrder(downwards, 'memory')), ['900Mi', '2Gi', '512Mi']);
  assert.deepEqual(nextOrder(downwards, 'name'), { by: 'name', isDescending: false });
  assert.equal(orderedRows(rows, { by: 'status', isDescending: true })[0]?.name, 'b');
});

test('why a guest cannot move is said in the words of who judged it', () => {
  const bound = (status: string) =>
    ({
      metadata: { name: 'a', namespace: 'n' },
      status: { conditions: [{ type: 'LiveMigratable', status, message: 'PVC spare is not shared' }] },
    }) as unknown as VirtualMachineInstance;
  const words = (status: string) => rowsOf(new Map(), new Map([['n/a', bound(status)]]))[0]?.cannotMove;
  assert.equal(words('False'), 'PVC spare is not shared');
  assert.equal(words('True'), '');
  assert.equal(rows[0]?.cannotMove, '');
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
