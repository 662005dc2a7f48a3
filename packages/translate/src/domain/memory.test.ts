import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../testing/vmi.ts';

test('guest memory, else the request, else the limit', () => {
  const memory = (domain: Parameters<typeof convertOf>[0]): number | undefined =>
    convertOf(domain).memory?.value;
  assert.equal(memory({ memory: { guest: '1Gi' }, resources: { requests: { memory: '2Gi' } } }), 2 ** 30);
  assert.equal(memory({ resources: { requests: { memory: '64M' } } }), 64_000_000);
  assert.equal(memory({ resources: { limits: { memory: '1Mi' } } }), 2 ** 20);
});
