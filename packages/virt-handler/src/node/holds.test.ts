import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Holds, nextHold } from './holds.ts';

const times = { leaseMs: 16_000, silenceMs: 20_000 }; // a renewal holds for 15 s

test('renewals without a gap make one long hold; a gap begins a new one', () => {
  const first = nextHold(undefined, 1_000, 1_100, times);
  assert.deepEqual(first, { sinceMs: 1_100, untilMs: 16_000 });
  const second = nextHold(first, 6_000, 6_050, times);
  assert.deepEqual(second, { sinceMs: 1_100, untilMs: 21_000 });
  assert.deepEqual(nextHold(second, 20_000, 21_001, times), { sinceMs: 21_001, untilMs: 35_000 });
  assert.deepEqual(nextHold(second, 20_000, 21_000, times), { sinceMs: 1_100, untilMs: 35_000 });
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
      hold: async (_: unknown, { sinceMs, untilMs }: { sinceMs: number; untilMs: number }) =>
        void told.push(`${name} ${sinceMs} ${untilMs}`),
    },
  });
  let now = 5_000;
  const holds = new Holds({
    times: () => times,
    guests: () => [guest('shared', ['ReadWriteMany']), guest('local', ['ReadWriteOnce'])],
    monotonicMs: () => now,
    log: { debug: () => undefined } as never,
  });
  const renewed = holds.renewing();
  now = 5_200;
  assert.deepEqual(told, []);
  renewed();
  assert.deepEqual(told, ['shared 5200 20000']);
});
