import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataVolume, VirtualMachine } from '@podvisor/api';
import type { ClaimObject } from '../live/use-collection.ts';
import { claimActions, claimRows, importAction } from './claims.ts';

const metadata = { namespace: 'shop', name: 'web' };
const vm = {
  metadata,
  spec: {
    template: { spec: { domain: {}, volumes: [{ name: 'root', dataVolume: { name: 'root-disk' } }] } },
  },
} as unknown as VirtualMachine;

test('claims: who uses them, how far an import is; one in use is not offered for deletion', () => {
  const claim: ClaimObject = {
    metadata: { namespace: 'shop', name: 'root-disk' },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  };
  const importing = {
    metadata: { namespace: 'shop', name: 'later' },
    status: { phase: 'ImportInProgress', progress: '12.5%' },
  } as unknown as DataVolume;
  const rows = claimRows(
    new Map([['shop/root-disk', claim]]),
    new Map([['shop/later', importing]]),
    new Map([['shop/web', vm]]),
  );
  assert.deepEqual(
    rows.map(({ name, state, users, size }) => [name, state, users, size]),
    [
      ['later', 'ImportInProgress 12.5%', [], ''],
      ['root-disk', 'Bound', ['web'], '1Gi'],
    ],
  );
  assert.deepEqual(
    rows.map((row) => claimActions.some(({ fits }) => fits(row))),
    [true, false],
  );
  const body =
    importAction.request({ namespace: 'shop', name: 'd', url: 'docker://r/i', size: '1Gi' }).body ?? '';
  assert.match(body, /"registry":\{"url":"docker:\/\/r\/i"\}/);
});
