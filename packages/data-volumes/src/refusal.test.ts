import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { refusalOf } from './refusal.ts';

test('what the API server refuses for good is told, with the way out where one is known', () => {
  const quota = refusalOf('Pod importer-a', new StatusError('Forbidden', 'exceeded quota: small'));
  assert.deepEqual(quota, {
    reason: 'ErrExceededQuota',
    message: 'Pod importer-a could not be created: exceeded quota: small',
  });
  const old = 'Pod "importer-a" is invalid: spec.volumes[2]: Required value: must specify a volume type';
  const refused = refusalOf('Pod importer-a', new StatusError('Invalid', old));
  assert.equal(refused?.reason, 'FailedCreate');
  assert.match(refused?.message ?? '', /no image volumes .* serve the image over http, or install CDI$/);
});

test('what may pass is not told', () => {
  assert.equal(refusalOf('Pod a', new StatusError('Timeout', 'later')), undefined);
  assert.equal(refusalOf('Pod a', new Error('ECONNRESET')), undefined);
});
