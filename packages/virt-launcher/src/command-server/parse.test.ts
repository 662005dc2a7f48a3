import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkIdentity, parseSyncOptions, parseVmi } from './parse.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

test('a VMI that is gone is named by its metadata alone', () => {
  checkIdentity(bytes({ metadata: { uid: 'u1' } }), 'u1');
  assert.throws(() => parseVmi(bytes({ metadata: { uid: 'u1' } }), 'u1'), /holds no VirtualMachineInstance/);
});

test('another VM, no VM and no JSON are refused', () => {
  for (const refused of [{ metadata: { uid: 'u2' }, spec: {} }, { metadata: {} }, {}])
    assert.throws(() => checkIdentity(bytes(refused), 'u1'), /this launcher runs the VMI with uid u1/);
  assert.throws(() => checkIdentity(bytes(null), 'u1'), /is no object/);
  assert.throws(() => checkIdentity(Buffer.from('{'), 'u1'), /is not JSON/);
  assert.throws(() => checkIdentity(Buffer.alloc(0), 'u1'), /is not JSON/);
});

test('options have safe defaults', () => {
  const nothing = { allowEmulation: false, kvmAvailable: false, interfaces: [] };
  assert.deepEqual(parseSyncOptions(Buffer.alloc(0)), nothing);
  assert.deepEqual(parseSyncOptions(bytes({ interfaces: 'x', allowEmulation: 'yes' })), nothing);
});
