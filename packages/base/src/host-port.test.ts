import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHostPort } from './host-port.ts';

test('host and port, also of IPv6', () => {
  assert.deepEqual(parseHostPort('--listen', '0.0.0.0:8443'), { host: '0.0.0.0', port: 8443 });
  assert.deepEqual(parseHostPort('--listen', '[::1]:0'), { host: '::1', port: 0 });
});

for (const text of ['', '8443', ':8443', 'host', 'host:', 'host:x', 'host:65536', 'host:-1', '[::1]'])
  test(`"${text}" is refused by the name of its flag`, () => {
    assert.throws(() => parseHostPort('--listen', text), /--listen must be HOST:PORT/);
  });
