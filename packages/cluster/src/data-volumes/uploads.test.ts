import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadProxyUrl } from './uploads.ts';

test('the upload proxy is announced as a URL with a scheme', () => {
  const { protocol, host } = new URL(uploadProxyUrl(8443));
  assert.deepEqual({ protocol, host }, { protocol: 'https:', host: '127.0.0.1:8443' });
});
