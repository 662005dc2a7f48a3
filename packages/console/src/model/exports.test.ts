import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineExport } from '@podvisor/api';
import { exportAction, exportRows } from './exports.ts';

const exported = (status: object): VirtualMachineExport =>
  ({
    metadata: { namespace: 'shop', name: 'e' },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'till' } },
    status,
  }) as unknown as VirtualMachineExport;
const rowsOf = (status: object) => exportRows(new Map([['shop/e', exported(status)]]), () => true);
const links = {
  internal: {
    cert: '',
    volumes: [{ name: 'root', formats: ['raw', 'gzip', 'dir'].map((format) => ({ format, url: 'u' })) }],
  },
};

test('what is ready has a file for each format that is one, with the command that gets it', () => {
  const [row] = rowsOf({ phase: 'Ready', links });
  assert.deepEqual(
    row?.files.map(({ href }) => href),
    ['/export/shop/e/root/raw', '/export/shop/e/root/gzip'],
  );
  assert.match(row?.files[1]?.command ?? '', /^virtctl vmexport download e --volume=root --output=root.gz/);
});

test('what is not ready says why, and offers nothing', () => {
  const [row] = rowsOf({
    phase: 'Pending',
    links,
    conditions: [{ type: 'Ready', status: 'False', message: 'in use' }],
  });
  assert.deepEqual([row?.state, row?.files], ['Pending: in use', []]);
});

test('exports of others are not shown', () => {
  const all = new Map([['shop/e', exported({})]]);
  assert.equal(
    exportRows(all, (namespace, kind, name) => `${namespace} ${kind} ${name}` === 'shop VirtualMachine till')
      .length,
    1,
  );
  assert.equal(exportRows(all, (_, kind) => kind === 'PersistentVolumeClaim').length, 0);
});

test('taking one, as virtctl does', () => {
  const { request, command } = exportAction('VirtualMachineSnapshot');
  const target = { namespace: 'shop', name: 'before' };
  assert.equal(command(target), 'virtctl vmexport create before-export --snapshot=before -n shop');
  const { spec } = JSON.parse(request(target).body ?? '') as { spec: object };
  assert.deepEqual(spec, {
    source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'before' },
  });
});
