import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineSnapshot } from '@podvisor/api';
import { snapshotActions, snapshotsOf, takeSnapshot } from './snapshots.ts';

const metadata = { namespace: 'shop', name: 'web' };

test('snapshots: those of this VM, newest first; one that is not ready cannot be restored', () => {
  const snapshot = (name: string, of: string, status: object): [string, VirtualMachineSnapshot] => [
    name,
    {
      metadata: { namespace: 'shop', name },
      spec: { source: { name: of } },
      status,
    } as unknown as VirtualMachineSnapshot,
  ];
  const rows = snapshotsOf(
    new Map([
      snapshot('old', 'web', { readyToUse: true, creationTime: '2026-01-01T00:00:00Z' }),
      snapshot('new', 'web', { phase: 'InProgress', creationTime: '2026-01-02T00:00:00Z' }),
      snapshot('other', 'db', { readyToUse: true }),
      snapshot('bad', 'web', {
        phase: 'Failed',
        error: { message: 'no class' },
        creationTime: '2025-01-01T00:00:00Z',
      }),
    ]),
    metadata,
  );
  assert.deepEqual(
    rows.map(({ name, state, tone }) => [name, state, tone]),
    [
      ['new', 'InProgress', 'busy'],
      ['old', 'Ready', 'good'],
      ['bad', 'no class', 'bad'],
    ],
  );
  assert.deepEqual(
    rows.map((row) => snapshotActions.filter(({ fits }) => fits(row)).map(({ id }) => id)),
    [['delete'], ['restore', 'delete'], ['delete']],
  );
  assert.match(takeSnapshot.command(metadata), /"kind": "VirtualMachineSnapshot"/);
});
