import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoldOptions } from '@podvisor/api';
import { Holds, nextHold } from './holds.ts';

const times = { leaseMs: 16_000, silenceMs: 20_000 }; // a renewal holds for 15 s

test('renewals without a gap make one long hold; a gap begins a new one', () => {
  const first = nextHold(undefined, 1_000, 1_100, times);
  const { silenceMs } = times;
  assert.deepEqual(first, { sinceMs: 1_100, untilMs: 16_000, silenceMs });
  const second = nextHold(first, 6_000, 6_050, times);
  assert.deepEqual(second, { sinceMs: 1_100, untilMs: 21_000, silenceMs });
  assert.deepEqual(nextHold(second, 20_000, 21_001, times), { sinceMs: 21_001, untilMs: 35_000, silenceMs });
  assert.deepEqual(nextHold(second, 20_000, 21_000, times), { sinceMs: 1_100, untilMs: 35_000, silenceMs });
});

test('other times begin a new hold: nothing of the old ones is told as if it were judged by the new ones', () => {
  const long = nextHold(undefined, 1_000, 1_100, { leaseMs: 16_000, silenceMs: 600_000 });
  assert.deepEqual(nextHold(long, 6_000, 6_050, times), {
    sinceMs: 6_050,
    untilMs: 21_000,
    silenceMs: 20_000,
  });
});

test('launchers of guests with a lease are told, after the API server has taken the renewal', () => {
  const told: string[] = [];
  const guest = (name: string, accessModes: readonly string[]) => ({
    vmi: {
      metadata: { name },
      spec: {
        domain: { devices: { disks: [{ name: 'root', disk: {} }] } },
        volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'c' } }],
      },
      status: { volumeStatus: [{ name: 'root', target: '', persistentVolumeClaimInfo: { accessModes } }] },
    } as never,
    connection: {
      hold: async (_: unknown, { sinceBootMs, untilBootMs, nowBootMs, silenceMs }: HoldOptions) =>
        void told.push([name, sinceBootMs, untilBootMs, nowBootMs, silenceMs].join(' ')),
    },
  });
  let now = 5_000;
  const holds = new Holds({
    times: () => times,
    guests: () => [guest('shared', ['ReadWriteMany']), guest('local', ['ReadWriteOnce'])],
    machineTimeMs: () => now,
    log: { debug: () => undefined } as never,
  });
  const renewed = holds.renewing();
  now = 5_200;
  assert.deepEqual(told, []);
  renewed();
  assert.deepEqual(told, ['shared 5200 20000 5200 20000']);
});
