import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeForHome, tightDisk } from './machine-facts.ts';

test('a disk that is too small for a home is told before it is full', () => {
  assert.equal(tightDisk({ at: '/var/lib', gib: 1.2 }), undefined);
  assert.match(
    tightDisk({ at: '/var/lib', gib: 0.34 }) ?? '',
    /^only 0\.3 GiB are free at \/var\/lib: a home takes 1 GiB.*PODVISOR_HOME/,
  );
});

test('a home that is not there yet is looked for at the directory that is', () => {
  assert.equal(freeForHome('/proc/self/nothing/at/all').at, '/proc/self');
});
