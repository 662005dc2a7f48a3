import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotations, type Lease } from '@podvisor/api';
import { handlerOrigin } from './handler-identity.ts';

const lease = (endpoint?: string): Lease => ({
  metadata: { annotations: endpoint === undefined ? {} : { [annotations.handlerEndpoint]: endpoint } },
});

test('a virt-handler listens at an address and a port, with TLS', () => {
  assert.equal(handlerOrigin('n', lease('https://10.0.0.1:8186')), 'https://10.0.0.1:8186');
  assert.equal(handlerOrigin('n', lease('https://[fd00::1]:8186/')), 'https://[fd00::1]:8186');
  assert.throws(() => handlerOrigin('n', lease()), /has not said/);
});

test('a node that was taken over sends nobody elsewhere by its Lease', () => {
  for (const endpoint of [
    ...['http://127.0.0.1:8080', 'ws://127.0.0.1', 'file:///etc/passwd', '//127.0.0.1', ''],
    ...['https://10.0.0.1:8186/admin', 'https://10.0.0.1:8186?a=', 'https://10.0.0.1:8186#'],
    ...['https://user:password@10.0.0.1:8186', 'https://10.0.0.1:8186/..;/x'],
  ])
    assert.throws(() => handlerOrigin('n', lease(endpoint)), /listens where none would/, endpoint);
});
