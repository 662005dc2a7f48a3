import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeSilence } from './silence.ts';

const SILENCE = 20_000;

function listener() {
  let now = 0;
  const silence = new NodeSilence({ elapsed: () => now });
  return {
    at: (ms: number) => void (now = ms),
    hear: (node: string) => silence.observe(node, `t${now}`, SILENCE),
    hearAgain: (node: string, what: string) => silence.observe(node, what, SILENCE),
    silentMs: (node: string) => silence.silentMs(node, SILENCE),
    quietMs: (node: string) => silence.quietMs(node, SILENCE),
    isAlive: (node: string) => silence.isAlive(node, SILENCE),
  };
}

test('counted is from when a renewal was seen; the same one again is no sign of life', () => {
  const { at, hear, hearAgain, silentMs } = listener();
  assert.equal(silentMs('a'), undefined);
  hear('a');
  for (const ms of [5_000, 10_000, 15_000, 20_000]) {
    at(ms);
    hear('b');
    hearAgain('a', 't0');
  }
  assert.equal(silentMs('a'), 20_000);
  assert.equal(silentMs('b'), 0);
  hear('a');
  assert.equal(silentMs('a'), 0);
});

test('who hears nothing at all calls nobody lost, and begins anew', () => {
  const { at, hear, silentMs } = listener();
  hear('a');
  hear('b');
  at(60_000); // the API server was away
  assert.equal(silentMs('a'), undefined);
  hear('b');
  assert.equal(silentMs('a'), 0, 'a has its whole time again');
  at(70_000);
  hear('b');
  at(80_000);
  hear('b');
  assert.equal(silentMs('a'), 20_000);
});

test('nothing is prepared while others are late as well', () => {
  const { at, hear, silentMs, quietMs } = listener();
  hear('a');
  hear('b');
  at(5_000);
  hear('b');
  at(10_000);
  assert.equal(quietMs('a'), 10_000, 'the other one is heard of as usual');
  at(13_000);
  assert.equal(silentMs('a'), 13_000);
  assert.equal(quietMs('a'), undefined, 'so is the other one');
  hear('b');
  assert.equal(silentMs('a'), 13_000);
  assert.equal(quietMs('a'), 0, 'a may come next');
});

test('alive is who renews before our eyes: not who was there when we began, nor who has its time anew', () => {
  const { at, hear, silentMs, isAlive } = listener();
  hear('a');
  hear('dead');
  assert.equal(isAlive('a'), false);
  at(5_000);
  hear('a');
  hear('dead');
  assert.ok(isAlive('a') && isAlive('dead'));
  at(60_000); // the API server was away
  hear('a');
  assert.ok(isAlive('a'));
  assert.deepEqual([silentMs('dead'), isAlive('dead')], [0, false]);
});
