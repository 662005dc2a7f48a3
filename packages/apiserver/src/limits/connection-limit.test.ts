import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { ConnectionLimit } from './connection-limit.ts';

function from(address: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
}

test('one address cannot take all, and strangers together leave room for this machine', () => {
  const limit = new ConnectionLimit({ connections: 100, connectionsPerAddress: 30 });
  const admitted = (address: string, tries: number): number =>
    Array.from({ length: tries }, () => limit.admit(from(address))).filter((taken) => taken).length;
  assert.equal(admitted('10.0.0.1', 50), 30);
  assert.equal(admitted('10.0.0.2', 50), 30);
  assert.equal(admitted('fd00::1', 50), 30);
  assert.equal(admitted('10.0.0.4', 50), 0, 'nine tenths are for strangers');
  assert.equal(admitted('127.0.0.1', 50), 10);
  assert.equal(limit.open, 100);
});

test('a connection that ends makes room', async () => {
  const limit = new ConnectionLimit({ connections: 10, connectionsPerAddress: 1 });
  const first = from('10.0.0.1');
  assert.ok(limit.admit(first));
  const second = from('10.0.0.1');
  assert.ok(!limit.admit(second));
  assert.ok(second.destroyed);
  await new Promise((resolve) => first.once('close', resolve).destroy());
  assert.equal(limit.open, 0);
  assert.ok(limit.admit(from('10.0.0.1')));
});
