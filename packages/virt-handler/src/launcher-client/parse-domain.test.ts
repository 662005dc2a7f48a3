import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import * as fc from 'fast-check';
import { domainState } from '../testing/objects.ts';
import { Calm } from './calm.ts';
import { DomainMessageError, parseDomain } from './parse-domain.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

test('a good message is taken as it is, an empty one means no domain', () => {
  assert.deepEqual(parseDomain(bytes(domainState())), domainState());
  assert.equal(parseDomain(new Uint8Array()), undefined);
});

test('any message gives a usable state or an error of its own kind', () => {
  const field = fc.oneof(fc.jsonValue(), fc.constantFrom('Running', 'Shutoff'));
  const message = fc.dictionary(
    fc.constantFrom('state', 'interfaces', 'diskTargets', 'reason', 'name'),
    field,
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), message), (value) => {
      try {
        const state = parseDomain(bytes(value));
        assert.ok(Array.isArray(state?.interfaces) && typeof state.diskTargets === 'object');
      } catch (error) {
        assert.ok(error instanceof DomainMessageError, String(error));
      }
    }),
    { numRuns: 500 },
  );
  assert.throws(() => parseDomain(Buffer.from('{')), DomainMessageError);
});

test('lists and texts are cut to size', () => {
  const many = Array.from({ length: 5000 }, () => ({ mac: 'x'.repeat(5000), source: 'domain' }));
  const state = parseDomain(bytes({ ...domainState(), interfaces: many }));
  assert.equal(state?.interfaces.length, 64);
  assert.equal(state?.interfaces[0]?.mac.length, 1024);
});

test('many changes at once are gathered, and the last one is never lost', () => {
  const clock = new FakeClock(5_000);
  let calls = 0;
  const calm = new Calm(clock, () => (calls += 1));
  for (let i = 0; i < 1000; i += 1) calm.notify();
  assert.equal(calls, 10);
  clock.advance(250);
  assert.equal(calls, 11);
  clock.advance(1000);
  calm.notify();
  assert.equal(calls, 12);
});
