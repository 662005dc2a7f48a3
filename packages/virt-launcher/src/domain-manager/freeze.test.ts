import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { Mutex } from '../mutex.ts';
import type { DomainContext } from './context.ts';
import { freeze } from './freeze.ts';

/** A launcher whose guest answers as `guest` says; what it was asked, and how long libvirt waits for the answer. */
function launcher(guest: (command: string) => Promise<unknown>) {
  const clock = new FakeClock(0);
  const asked: string[] = [];
  const answer = async (command: string, seconds: number): Promise<string> => {
    asked.push(`${command} ${seconds}`);
    return JSON.stringify({ return: await guest(command) });
  };
  const connection = {
    lookupByName: async () => ({ name: 'd' }),
    guest: {
      agentCommand: (_domain: unknown, text: string, seconds: number) =>
        answer((JSON.parse(text) as { execute: string }).execute, seconds),
    },
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const context = {
    ...{ clock, log, domainName: 'd', mutex: new Mutex(), freezing: new Mutex() },
    ...{ session: { connection }, runState: {}, agent: { askNow: async () => undefined } },
  } as unknown as DomainContext;
  return { clock, asked, context };
}

/** All that is ready has run. */
const quiet = async (): Promise<void> => {
  for (let n = 0; n < 50; n++) await setImmediate();
};

test('a guest that is told to freeze and says nothing keeps nothing else of its launcher waiting', async () => {
  const { asked, context } = launcher((command) =>
    command === 'guest-fsfreeze-freeze' ? new Promise(() => undefined) : Promise.resolve('thawed'),
  );
  void freeze(context, 60);
  await quiet();
  let isFree = false;
  void context.mutex.run(async () => void (isFree = true));
  await quiet();
  assert.equal(isFree, true);
  assert.deepEqual(asked, ['guest-fsfreeze-status 5', 'guest-fsfreeze-freeze 180']);
});

test('a guest that froze after it was given up is thawed, and one that did not is left alone', async () => {
  for (const late of ['frozen', 'thawed']) {
    let status: string | undefined = 'thawed';
    const { asked, clock, context } = launcher(async (command) => {
      if (command === 'guest-fsfreeze-freeze') {
        status = undefined;
        throw new Error('no answer');
      }
      if (command === 'guest-fsfreeze-thaw') status = 'thawed';
      if (status === undefined) throw new Error('busy');
      return status;
    });
    await assert.rejects(freeze(context, 60), /could not be frozen/);
    for (let n = 0; n < 5; n++) {
      clock.advance(5_000);
      await quiet();
      if (n === 2) status = late;
    }
    assert.equal(
      asked.some((one) => one.startsWith('guest-fsfreeze-thaw')),
      late === 'frozen',
    );
    assert.equal(status, 'thawed');
    const before = asked.length;
    clock.advance(3_600_000);
    await quiet();
    assert.equal(asked.length, before);
  }
});
