import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import type { Lease, LeaseRenewal } from '@podvisor/storage';
import { GuestLease } from './guest-lease.ts';

/** QEMU is stopped 12 s after the last renewal was begun, and killed 10 s later. */
const options = { volume: 'root', nodeName: 'n1', leaseMs: 16_000, silenceMs: 20_000 };
const holder = { vmi: 'shop/vm', uid: 'u', pod: 'p' };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined } as never;

let clock: FakeClock;
let written: LeaseRenewal[];
let signals: string[];
let fenced: string[];
let armed: { readonly pid: number; readonly stopInMs: number; readonly killAfterMs: number } | undefined;
let epoch: Lease | undefined;
let storage: 'works' | 'hangs' | 'fails';
let moving: boolean;
/** How long the machine was suspended: no timer counts it. */
let suspendedMs: number;
let goOn: () => void;
/** The epoch that this launcher has taken. */
let taken: number | undefined;
/** What a storage that fails says. */
let code: string;
let lease: GuestLease;

beforeEach(() => {
  clock = new FakeClock(1_000_000);
  [written, signals, fenced] = [[], [], []];
  [armed, storage, moving, code] = [undefined, 'works', false, 'EIO'];
  suspendedMs = 0;
  [epoch, taken] = [{ epoch: 4, holder, takenAt: '' }, 4];
  const answer = async <T>(value: () => T): Promise<T> => {
    if (storage === 'hangs') await new Promise<void>((resolve) => (goOn = resolve));
    if (storage === 'fails') throw Object.assign(new Error(`it failed: ${code}`), { code });
    return value();
  };
  lease = new GuestLease({
    holder,
    storage: {
      write: (_, renewal) => answer(() => void written.push(renewal)),
      read: () => answer(() => reading()),
      lease: () => answer(() => epoch),
    },
    imageOf: (volume) => `/claims/${volume}/disk.img`,
    epochOf: () => taken,
    deadMansSwitch: {
      arm: ({ pid, stopAtMs, killAfterMs, mayBeStopped = false }) => {
        armed = { pid, stopInMs: stopAtMs - machineTimeMs(), killAfterMs };
        if (mayBeStopped) signals.push('SIGCONT');
      },
      disarm: () => void (armed = undefined),
    },
    killQemu: () => void signals.push('SIGKILL'),
    isMoving: () => moving,
    onChange: () => undefined,
    onFenced: (why) => void fenced.push(why),
    machineTimeMs,
    clock,
    log: silent,
  });
});

const machineTimeMs = (): number => clock.now() + suspendedMs;
/** What virt-handler says now. */
const hold = (sinceBootMs: number, untilBootMs: number, silenceMs = options.silenceMs) => ({
  sinceBootMs,
  untilBootMs,
  nowBootMs: machineTimeMs(),
  silenceMs,
});
const reading = () => {
  const renewal = written.at(-1);
  return renewal === undefined ? { bytes: '' } : { bytes: JSON.stringify(renewal), renewal };
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Time passes, and what was begun in it ends in it. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    clock.advance(Math.min(1_000, left));
    await settled();
  }
}

test('renewed four times in its length, it holds the switch off', async () => {
  await lease.keep(options, 77);
  assert.deepEqual(armed, { pid: 77, stopInMs: 12_000, killAfterMs: 10_000 });
  assert.deepEqual(written[0], {
    epoch: 4,
    holder: { ...holder, node: 'n1' },
    leaseMs: 16_000,
    silenceMs: 20_000,
    count: 1,
  });
  await pass(60_000);
  assert.equal(written.length, 16);
  assert.equal(new Set(written.map(({ count }) => count)).size, 16);
  assert.deepEqual([armed?.stopInMs, signals, fenced], [12_000, [], []]);
  assert.deepEqual(lease.state, { volume: 'root' });
});

for (const trouble of ['hangs', 'fails'] as const)
  test(`a storage that ${trouble}: told at once, the switch is not moved, and the end has a reason`, async () => {
    await lease.keep(options, 77);
    storage = trouble;
    await pass(9_000);
    assert.match(lease.state?.overdue ?? '', trouble === 'hangs' ? /does not answer/ : /EIO/);
    assert.equal(armed?.stopInMs, 12_000, 'as it was armed at the last renewal');
    await pass(13_000);
    assert.deepEqual(signals, ['SIGKILL']);
    assert.match(fenced[0] ?? '', /its lease on volume root ended: /);
  });

test('a guest that waits for its first instruction may execute it while it has time, or is held', async () => {
  lease.requireTime(); // without a lease nobody waits for its end
  await lease.keep(options, 77);
  storage = 'hangs';
  await pass(11_000);
  lease.requireTime();
  lease.hold(hold(900_000, clock.now() + 15_000));
  await pass(10_000);
  lease.requireTime();
  await pass(6_000);
  assert.throws(() => lease.requireTime(), /ended before its first instruction/);
});

test('a hold carries the guest over; without a next one it ends', async () => {
  await lease.keep(options, 77);
  storage = 'hangs';
  await pass(10_000);
  lease.hold(hold(900_000, clock.now() + 15_000));
  assert.equal(armed?.stopInMs, 15_000);
  assert.deepEqual(signals, [], 'nobody has stopped it yet');
  await pass(24_000);
  assert.deepEqual(signals, []);
  await pass(2_000);
  assert.deepEqual(signals, ['SIGKILL']);
});

test('a Pod that stood still goes on when its node was held all the time, and not when there was a gap', async () => {
  await lease.keep(options, 77);
  storage = 'hangs';
  await pass(15_000); // the switch has stopped QEMU
  lease.hold(hold(clock.now() - 1_000, clock.now() + 15_000));
  assert.deepEqual(signals, [], 'held only since after the end: another may have it');
  lease.hold(hold(900_000, clock.now() + 15_000));
  assert.deepEqual(signals, ['SIGCONT']);
});

test('a renewal that comes back after the end changes nothing', async () => {
  await lease.keep(options, 77);
  storage = 'hangs';
  await pass(13_000);
  storage = 'works';
  await pass(4_000);
  assert.ok((armed?.stopInMs ?? 0) <= 0, 'the switch is not moved into the future');
  await pass(6_000);
  assert.deepEqual(signals, ['SIGKILL']);
});

test('a machine that was suspended beyond the lease: its guest is stopped with the next look, and then ended', async () => {
  await lease.keep(options, 77);
  await pass(1_000);
  suspendedMs = 14_000;
  await pass(3_000);
  assert.deepEqual(
    [armed?.stopInMs, signals],
    [-6_000, []],
    'armed for a time that is over, it strikes at once',
  );
  // The storage works, and virt-handler is heard of again: neither brings the right to write back.
  lease.hold(hold(machineTimeMs(), machineTimeMs() + 15_000));
  await pass(4_000);
  assert.deepEqual([armed?.stopInMs, signals], [-6_000, ['SIGKILL']]);
});

test('a machine that was suspended for long: its guest is ended with the next look', async () => {
  await lease.keep(options, 77);
  suspendedMs = 3_600_000;
  await pass(4_000);
  assert.deepEqual(signals, ['SIGKILL']);
});

test('a long lease is looked at between its renewals', async () => {
  await lease.keep({ ...options, leaseMs: 300_000 }, 77);
  suspendedMs = 3_600_000;
  await pass(5_000);
  assert.deepEqual([signals, written.length], [['SIGKILL'], 1]);
});

test('a machine that was suspended for a moment: its guest goes on', async () => {
  await lease.keep(options, 77);
  await pass(1_000);
  suspendedMs = 5_000;
  await pass(60_000);
  assert.deepEqual([armed?.stopInMs, signals, fenced], [12_000, [], []]);
});

test('a hold by a longer silence than the guest was started with does not count: others may know the shorter one', async () => {
  await lease.keep(options, 77);
  storage = 'hangs';
  await pass(10_000);
  lease.hold(hold(900_000, clock.now() + 450_000, 600_000));
  await pass(12_000);
  assert.deepEqual(signals, ['SIGKILL']);
});

test('whoever took the disks ends this run at once; the target of its own move does not', async () => {
  await lease.keep(options, 77);
  epoch = { epoch: 5, holder: { vmi: 'shop/vm', uid: 'other', pod: 'q' }, takenAt: '' };
  await pass(4_000);
  assert.deepEqual(signals, ['SIGKILL']);
  assert.match(fenced[0] ?? '', /shop\/vm \(Pod q\) has taken its disks/);
});

test('a guest that moves leaves its lease to its target', async () => {
  await lease.keep(options, 77);
  moving = true;
  epoch = { epoch: 5, holder: { ...holder, pod: 'target' }, takenAt: '' };
  await pass(4_000);
  assert.deepEqual([signals, armed, written.length, lease.state], [[], undefined, 1, undefined]);
});

test('at its end it is given back, unless somebody else has it', async () => {
  await lease.keep(options, 77);
  await lease.end({ isGivenBack: true });
  assert.deepEqual([written.at(-1)?.released, armed], [true, undefined]);
  await pass(60_000);
  assert.equal(written.length, 2, 'nothing more is written');

  await lease.keep(options, 78);
  epoch = { epoch: 6, holder: { ...holder, pod: 'q' }, takenAt: '' };
  await lease.end({ isGivenBack: true });
  assert.equal(written.at(-1)?.released, undefined);
});

test('one that tries again does not give its lease back in between, and keeps it anew', async () => {
  await lease.keep(options, 77);
  await lease.end({ isGivenBack: false });
  assert.deepEqual([armed], [undefined]);
  assert.deepEqual(
    written.map(({ released }) => released),
    [undefined],
  );
  await lease.keep(options, 78, { image: '/claims/root/disk.img', epoch: 4, bytes: reading().bytes });
  assert.deepEqual([armed?.pid, signals], [78, []]);
});

test('a start elsewhere looks first, and does not believe who said that the other was off', async () => {
  const other = { ...holder, uid: 'before', pod: 'old', node: 'n2' };
  let count = 0;
  const write = (more: object = {}): void =>
    void written.push({
      epoch: 3,
      holder: other,
      leaseMs: 16_000,
      silenceMs: 20_000,
      count: ++count,
      ...more,
    });
  epoch = { epoch: 3, holder: { ...holder, pod: 'old' }, takenAt: '' };
  const started = (): Promise<string> =>
    lease.proveAlone(options, new AbortController().signal).then(
      () => 'starts',
      (error: Error) => error.message,
    );
  write({ released: true });
  assert.equal(await started(), 'starts', 'given back');
  write({ holder: { ...other, node: 'n1' } });
  assert.equal(await started(), 'starts', 'here, where locks tell');

  write({ holder: { ...other, uid: holder.uid } });
  assert.match(await started(), /Pod old on node n2 runs it already/, 'of the same run, never proven gone');

  write();
  const quiet = started();
  await settled();
  await pass(5_000);
  assert.equal(await quiet, 'starts');
  const alive = started();
  await settled();
  await pass(4_000);
  write();
  await pass(1_000);
  assert.match(await alive, /must not start: its runner on node n2 \(Pod old\) still renews its lease/);
});

test('where there never was anybody, a start does not wait', async () => {
  const proof = await lease.proveAlone(options, new AbortController().signal);
  assert.deepEqual(proof, { image: '/claims/root/disk.img', epoch: 4, bytes: '' });
});

test('a start that another came before ends QEMU, and says who', async () => {
  const proof = { image: '/claims/root/disk.img', epoch: 3, bytes: '' };
  written.push({ epoch: 5, holder: { ...holder, pod: 'q', node: 'n2' }, leaseMs: 1, silenceMs: 1, count: 1 });
  await assert.rejects(lease.keep(options, 77, proof), /must not run: shop\/vm \(Pod q\) came first/);
  assert.deepEqual([signals, armed, written.length], [['SIGKILL'], undefined, 1]);

  written.length = 0;
  epoch = { epoch: 4, holder: { ...holder, pod: 'q' }, takenAt: '' };
  await assert.rejects(lease.keep(options, 78, proof), /Pod q\) came first/, 'the same epoch, another Pod');
  epoch = { epoch: 4, holder, takenAt: '' };
  written.length = 0;
  await lease.keep(options, 79, proof);
  assert.deepEqual([armed?.pid, lease.state], [79, { volume: 'root' }]);
});

test('a start that stood still for longer than its lease does not run', async () => {
  storage = 'hangs';
  const kept = lease.keep(options, 77);
  const failed = assert.rejects(kept, /another runner may have come first/);
  clock.advance(13_000);
  storage = 'works';
  goOn();
  await failed;
  assert.deepEqual([signals, armed], [['SIGKILL'], undefined]);
});

test('one that came while this launcher tried to start has its whole time', async () => {
  const started = (): Promise<unknown> => lease.proveAlone(options, new AbortController().signal);
  const write = (pod: string): void =>
    void written.push({
      epoch: 3,
      holder: { ...holder, uid: 'before', pod, node: 'n2' },
      leaseMs: 16_000,
      silenceMs: 20_000,
      count: 1,
    });
  write('proven gone');
  const first = started();
  await settled();
  await pass(5_000);
  await first;
  write('came first');
  let isOver = false;
  const second = started().then(() => (isOver = true));
  await settled();
  await pass(15_000);
  assert.equal(isOver, false);
  await pass(1_000);
  await second;
});

test('a lease that was not taken is not kept', async () => {
  taken = undefined;
  await lease.keep(options, 77);
  assert.deepEqual([lease.state, armed, written], [undefined, undefined, []]);
});

test('a storage that fails at the moment: a guest that nobody could see does not run', async () => {
  const proof = await lease.proveAlone(options, new AbortController().signal);
  storage = 'fails';
  await assert.rejects(lease.keep(options, 77, proof), /must not run on volume root: its storage failed/);
  assert.deepEqual([lease.state, armed, signals], [undefined, undefined, ['SIGKILL']]);
});

test('a storage that takes no such file leaves the guest without a lease', async () => {
  const proof = await lease.proveAlone(options, new AbortController().signal);
  [storage, code] = ['fails', 'EACCES'];
  await lease.keep(options, 77, proof);
  assert.deepEqual([lease.state, armed], [undefined, undefined]);
});
