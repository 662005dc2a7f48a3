import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrationAddress } from './address.ts';

const v4 = { address: '10.9.0.4', family: 'IPv4' } as const;
const v6 = { address: 'fd00::4', family: 'IPv6' } as const;
const local = { address: 'fe80::1', family: 'IPv6' } as const;

test('guests move over the migration network where there is one', () => {
  const eth0 = [{ address: '10.0.0.4', family: 'IPv4' }] as const;
  assert.equal(migrationAddress({ eth0, migration0: [local, v6, v4] }, '10.0.0.4'), '10.9.0.4');
  assert.equal(migrationAddress({ eth0, migration0: [local, v6] }, '10.0.0.4'), 'fd00::4');
  assert.equal(migrationAddress({ eth0, migration0: [local] }, '10.0.0.4'), '10.0.0.4');
  assert.equal(migrationAddress({ eth0 }, '10.0.0.4'), '10.0.0.4');
});
