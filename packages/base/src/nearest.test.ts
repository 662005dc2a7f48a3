import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

const FIELDS = ['cores', 'sockets', 'threads', 'model', 'maxSockets', 'containerDisk', 'name'];

for (const [word, meant] of [
  ['coers', 'cores'],
  ['core', 'cores'],
  ['Cores', 'cores'],
  ['socket', 'sockets'],
  ['containerdisk', 'containerDisk'],
  ['conatinerDisks', 'containerDisk'],
  ['nmae', 'name'],
  ['memory', undefined],
  ['x', undefined],
] as const)
  test(`${word} means ${meant ?? 'nothing known'}`, () => assert.equal(nearest(word, FIELDS), meant));
