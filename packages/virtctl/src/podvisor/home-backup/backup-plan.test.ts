import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExpected, notWritten, readLabel, restoreRefusal } from './backup-plan.ts';

test('only what a backup holds is unpacked', () => {
  for (const path of ['config.json', './pki/ca.key', 'control-plane/store.db', 'volumes/pvc-1/disk.img'])
    assert.equal(isExpected(path), true, path);
  for (const path of ['lib/node', '/etc/passwd', 'pki/../../etc/passwd', '../x', 'run/x.pid', ''])
    assert.equal(isExpected(path), false, path);
});

test('a label', () => {
  const label = { kind: 'podvisor-home', version: 1, takenAt: 'x', podvisor: '0.1.0', hasDisks: false };
  assert.deepEqual(readLabel(JSON.stringify(label)), label);
  assert.throws(() => readLabel('x'), /its label cannot be read/);
  assert.throws(() => readLabel('{}'), /no backup of a home/);
  assert.throws(() => readLabel(JSON.stringify({ ...label, version: 2 })), /newer form/);
});

test('where it may be restored', () => {
  const facts = { isRunning: false, isThere: false, replace: false };
  assert.equal(restoreRefusal(facts, '/h'), undefined);
  assert.match(restoreRefusal({ ...facts, isRunning: true, replace: true }, '/h') ?? '', /podvisor down/);
  assert.match(restoreRefusal({ ...facts, isThere: true }, '/h') ?? '', /--replace/);
  assert.equal(restoreRefusal({ ...facts, isThere: true, replace: true }, '/h'), undefined);
});

test('a full disk is told as such, without the words of tar', () => {
  const full = new Error('tar -czf x failed with exit code 2: gzip: stdout: No space left on device');
  assert.equal(
    notWritten('/b/x.tar.gz', full).message,
    '/b/x.tar.gz was not written: the disk is full there, df -h shows it',
  );
  assert.equal(notWritten('/b/x.tar.gz', full).cause, undefined);
  const other = new Error('tar: what');
  assert.equal(notWritten('/b/x.tar.gz', other).cause, other);
});
