/**
 * The machine's clock jumps, as it does when a machine wakes, or when NTP finds it hours off. How long something takes
 * is told by the monotonic clock, so that nobody is taken for dead and nothing is started twice; what carries a time of
 * day (leases, tokens, certificates) goes on or is made anew.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { resources } from '@podvisor/kube';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { eventually } from '../support/eventually.ts';
import { GuestPage } from '../support/guests/guest-page.ts';
import { Instance } from '../support/instance.ts';
import { JumpingClock } from '../support/jumping-clock.ts';

const HOUR = 3600;
const PROGRAMS = [
  'control-plane',
  'node-agent',
  'virt-api',
  'virt-controller',
  'virt-handler-node-1',
] as const;

describe('the clock jumps', { concurrency: 1 }, () => {
  let clock: JumpingClock;
  let instance: Instance;
  let guest: GuestPage;
  let bootId: string;
  let uid: string | undefined;

  const pids = (): Promise<readonly number[]> =>
    Promise.all(PROGRAMS.map((program) => instance.pidOf(program)));

  before(async () => {
    instance = await Instance.prepare();
    clock = new JumpingClock(instance.home);
    Object.assign(instance.env, clock.env);
    guest = await GuestPage.up(instance, 'clock');
    bootId = await guest.page();
    uid = (await guest.vmi()).metadata?.uid;
  });
  after(async () => {
    await instance?.purge();
  });

  for (const [jump, offset] of [
    ['three hours forward', 3 * HOUR],
    ['five hours back', -2 * HOUR],
    ['to where it belongs', 0],
  ] as const)
    test(`${jump}: guests and programs go on, and a new VM starts`, async () => {
      const earlier = await pids();
      clock.jumpTo(offset);
      await delay(3_000); // time for whoever takes the jump for silence
      await eventually('the guest answers', 60_000, async () =>
        (await guest.page()) === bootId ? true : undefined,
      );
      const { metadata, status } = await guest.vmi();
      assert.equal(metadata?.uid, uid);
      assert.equal(status?.phase, 'Running');
      await guest.obeys();
      const node = (await instance.client.list(resources.nodes)).items[0];
      assert.equal(node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
      const fresh = await GuestPage.create(instance, bootIdVm(`at-${offset + 2 * HOUR}`));
      await fresh.ready();
      await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: fresh.name });
      assert.deepEqual(await pids(), earlier, 'no process gave up');
    });
});
