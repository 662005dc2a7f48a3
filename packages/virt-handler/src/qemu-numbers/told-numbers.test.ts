import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainState } from '../testing/objects.ts';
import { toldNumbers } from './told-numbers.ts';

const MIB = 1024 * 1024;

test('memory: what the balloon leaves, never more than the domain has; without a balloon what it was given', () => {
  const told = domainState({ memoryBytes: { current: 96 * MIB, max: 128 * MIB } });
  const current = (balloon?: number) => toldNumbers(told, { 'balloon.current': balloon })['balloon.current'];
  assert.equal(current(64 * 1024), 64 * 1024);
  assert.equal(current(128 * 1024 + 64), 128 * 1024);
  assert.equal(current(), 96 * 1024);
  assert.equal(toldNumbers(told, {})['balloon.maximum'], 128 * 1024);
});

test('CPUs that virtual CPUs may run on', () => {
  const told = domainState({ cpu: { sockets: 2, cores: 2, threads: 1 } });
  assert.equal(toldNumbers(told, { 'host.cpus': 8 })['host.cpu_affinity'], 32);
  assert.equal(toldNumbers(undefined, { 'host.cpus': 8, 'vcpu.maximum': 3 })['host.cpu_affinity'], 24);
  assert.equal(toldNumbers(told, {})['host.cpu_affinity'], undefined);
});

test('what the agent says', () => {
  const filesystem = {
    diskName: 'vda1',
    mountPoint: '/',
    fileSystemType: 'ext4',
    usedBytes: 1,
    totalBytes: 2,
  };
  assert.deepEqual(toldNumbers(domainState({ filesystems: [filesystem], guestLoad: [1, 2, 3] }), {}), {
    ...{ 'guest.load.1m': 1, 'guest.load.5m': 2, 'guest.load.15m': 3 },
    'guest.filesystem.count': 1,
    'guest.filesystem.0.disk': 'vda1',
    'guest.filesystem.0.mount': '/',
    'guest.filesystem.0.type': 'ext4',
    'guest.filesystem.0.total': 2,
    'guest.filesystem.0.used': 1,
  });
});
