import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { notPreparedEvent } from './events.ts';

test('a write that met another is no trouble of the migration', () => {
  assert.equal(notPreparedEvent(new StatusError('Conflict', 'the object has been modified')), undefined);
  assert.equal(notPreparedEvent(new Error('no space left'))?.type, 'Warning');
});
