import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { silentLog } from '../log.ts';
import { GuestAgentPoller } from './poller.ts';

const settle = async (): Promise<void> => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

function poller(answers: Record<string, unknown>): {
  poller: GuestAgentPoller;
  asked: string[];
  clock: FakeClock;
  changes: () => number;
} {
  const clock = new FakeClock();
  const asked: string[] = [];
  let changes = 0;
  return {
    asked,
    clock,
    changes: () => changes,
    poller: new GuestAgentPoller({
      clock,
      log: silentLog,
      onChange: () => changes++,
      ask: async (command) => {
        asked.push(command);
        if (!(command in answers)) throw new Error('no answer');
        return answers[command];
      },
    }),
  };
}

test('asks everything at once when the agent connects', async () => {
  const { poller: agent, asked } = poller({
    'guest-network-get-interfaces': [
      {
        name: 'eth0',
        'hardware-address': '02:00:00:aa:bb:cc',
        'ip-addresses': [{ 'ip-address': '10.0.2.2' }],
      },
    ],
    'guest-get-osinfo': { id: 'debian' },
  });
  agent.setConnected(true);
  agent.setConnected(true);
  await settle();
  assert.equal(new Set(asked).size, 9);
  assert.equal(asked.length, 9, 'connecting twice asks once');
  assert.deepEqual(agent.facts.interfaces?.[0]?.ipAddresses, ['10.0.2.2']);
  assert.equal(agent.facts.os?.id, 'debian');
});

test('intervals double up to their target, and an unchanged answer is no change', async () => {
  const { poller: agent, asked, clock, changes } = poller({ 'guest-fsfreeze-status': 'thawed' });
  agent.setConnected(true);
  await settle();
  const count = (): number => asked.filter((command) => command === 'guest-fsfreeze-status').length;
  assert.equal(count(), 1);
  for (const wait of [2_000, 4_000, 5_000, 5_000]) {
    clock.advance(wait);
    await settle();
  }
  assert.equal(count(), 5);
  assert.equal(changes(), 1);
});

test('skips commands that the agent does not have', async () => {
  const { poller: agent, asked } = poller({
    'guest-info': { version: '1', supported_commands: [{ name: 'guest-get-osinfo', enabled: true }] },
  });
  agent.setConnected(true);
  await settle();
  assert.deepEqual(asked, ['guest-info', 'guest-get-osinfo']);
});

test('forgets and falls silent when the agent disconnects', async () => {
  const { poller: agent, asked, clock } = poller({ 'guest-get-host-name': { 'host-name': 'h' } });
  agent.setConnected(true);
  await settle();
  assert.equal(agent.facts.hostname, 'h');
  agent.setConnected(false);
  const before = asked.length;
  clock.advance(1_000_000);
  await settle();
  assert.equal(asked.length, before);
  assert.deepEqual(agent.facts, {});
});

test('a frozen guest is asked for nothing but its freeze', async () => {
  const answers: Record<string, unknown> = {
    'guest-fsfreeze-status': 'thawed',
    'guest-info': { version: '1' },
  };
  const { poller: agent, asked, clock } = poller(answers);
  agent.setConnected(true);
  await settle();
  answers['guest-fsfreeze-status'] = 'frozen';
  await agent.askNow('guest-fsfreeze-status');
  assert.equal(agent.facts.fsFreezeStatus, 'frozen');
  asked.length = 0;
  clock.advance(2_000);
  await settle();
  assert.deepEqual(asked, ['guest-fsfreeze-status']);
});

test('a paused guest is not asked, and nothing is forgotten', async () => {
  const { poller: agent, asked, clock } = poller({ 'guest-get-host-name': { 'host-name': 'h' } });
  agent.setConnected(true);
  await settle();
  agent.suspend();
  asked.length = 0;
  clock.advance(1_000_000);
  await settle();
  assert.deepEqual([asked, agent.facts.hostname], [[], 'h']);
  agent.setConnected(true);
  await settle();
  assert.equal(asked.length, 9);
});
