import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { ignoreAlreadyExists, ignoreNotFound } from './ignore.ts';

const failing = (reason: 'NotFound' | 'AlreadyExists' | 'Conflict'): Promise<number> =>
  Promise.reject(new StatusError(reason, 'no'));

test('what is gone, or there already, is no failure; anything else is', async () => {
  assert.equal(await ignoreNotFound(Promise.resolve(1)), 1);
  assert.equal(await ignoreNotFound(failing('NotFound')), undefined);
  await assert.rejects(ignoreNotFound(failing('AlreadyExists')));
  await assert.rejects(ignoreNotFound(failing('Conflict')));
  assert.equal(await ignoreAlreadyExists(failing('AlreadyExists')), undefined);
  await assert.rejects(ignoreAlreadyExists(failing('NotFound')));
});
