import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { HandlerLiveness, nodeOfLease } from './liveness.ts';

test('a handler is silent when we have seen no renewal for five minutes', () => {
  const clock = new FakeClock(0);
  const liveness = new HandlerLiveness(clock);
  assert.equal(liveness.isSilent('n'), false);
  liveness.observe('n', 't1');
  clock.advance(299_000);
  assert.equal(liveness.isSilent('n'), false);
  // The same renewal seen again is no sign of life.
  liveness.observe('n', 't1');
  clock.advance(1_000);
  assert.equal(liveness.isSilent('n'), true);
  liveness.observe('n', 't2');
  assert.equal(liveness.isSilent('n'), false);
});

test('only Leases of virt-handlers name a node', () => {
  assert.equal(nodeOfLease({ metadata: { name: 'virt-handler-n1' } }), 'n1');
  assert.equal(nodeOfLease({ metadata: { name: 'virt-controller' } }), undefined);
});
