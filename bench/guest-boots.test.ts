import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { GuestBoots, spread } from './guest-boots.ts';

const vmi = (name: string, phase: string, agent = false): VirtualMachineInstance =>
  ({
    metadata: { name },
    status: { phase, conditions: agent ? [{ type: 'AgentConnected', status: 'True' }] : [] },
  }) as unknown as VirtualMachineInstance;

function boots(): { readonly clock: FakeClock; readonly guests: GuestBoots } {
  const clock = new FakeClock();
  const guests = new GuestBoots(() => clock.elapsed());
  for (const name of ['a', 'b']) guests.create(name);
  return { clock, guests };
}

test('a wait ends when the last guest is there; each has its own time, counted once', async () => {
  const { clock, guests } = boots();
  const all = guests.until(['a', 'b'], 'agent', new AbortController().signal);
  clock.advance(1000);
  guests.look(vmi('a', 'Running', true));
  clock.advance(500);
  guests.look(vmi('a', 'Running', true));
  guests.look(vmi('b', 'Running'));
  guests.look(vmi('another', 'Failed'));
  clock.advance(500);
  guests.look(vmi('b', 'Running', true));
  assert.equal(await all, true);
  assert.deepEqual(guests.times(['a', 'b'], 'running'), [1000, 1500]);
  assert.deepEqual(guests.times(['a', 'b'], 'agent'), [1000, 2000]);
});

test('a wait that takes too long ends without an error, and what is there is told', async () => {
  const { clock, guests } = boots();
  const late = new AbortController();
  const all = guests.until(['a', 'b'], 'running', late.signal);
  clock.advance(1000);
  guests.look(vmi('a', 'Running'));
  late.abort();
  assert.equal(await all, false);
  assert.equal(
    spread(guests.times(['a', 'b'], 'running'), 2),
    'only 1 of 2: p50 1.0 s, p95 1.0 s, last 1.0 s',
  );
  assert.equal(spread([], 2), 'only 0 of 2');
});

test('a guest that fails ends the wait with its name', async () => {
  const { guests } = boots();
  const all = guests.until(['a', 'b'], 'agent', new AbortController().signal);
  guests.look(vmi('b', 'Failed'));
  await assert.rejects(all, /^Error: b failed$/);
});
