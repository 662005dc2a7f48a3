import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFlags } from './flags.ts';

const ARGS = ['--listen=0.0.0.0:8443', '--tls-dir=/tls', '--api-server-ca=/ca.crt'];

test('the API server is the one that every Pod is told of', () => {
  assert.deepEqual(
    parseFlags(ARGS, { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }),
    {
      listen: { host: '0.0.0.0', port: 8443 },
      tlsDir: '/tls',
      apiServerCa: '/ca.crt',
      apiServer: 'https://[fd00::1]:6443',
    },
  );
});

test('what is missing is named', () => {
  assert.throws(() => parseFlags(ARGS, {}), /--api-server=/);
  assert.throws(
    () => parseFlags(['--api-server=https://a', '--tls-dir=/tls'], {}),
    /--api-server-ca is required/,
  );
});
