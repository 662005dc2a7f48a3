import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceRange } from './service-range.ts';

test('the range lies in the Pod range of the instance, away from the nodes', () => {
  assert.deepEqual(serviceRange({ podCidr: '10.244.0.0/16' }), {
    family: 4,
    cidr: '10.244.96.0/20',
    apiServer: '10.244.96.1',
    dns: '10.244.96.10',
  });
});
