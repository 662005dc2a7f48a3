import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DeadMansSwitch } from './dead-mans-switch.ts';
import { machineTimeMs } from './machine-time.ts';

let directory: string;
let target: ChildProcess;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'pv-switch-'));
  copyFileSync('/bin/sleep', join(directory, 'qemu-sleep'));
  copyFileSync('/bin/sleep', join(directory, 'other'));
});
afterEach(() => target.kill('SIGKILL'));
after(() => rmSync(directory, { recursive: true }));

const start = (name: string): number => {
  target = spawn(join(directory, name), ['60']);
  return target.pid ?? 0;
};
const state = (pid: number): string | undefined =>
  /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
const until = async (what: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 500 && !what(); tries += 1) await delay(10);
  assert.ok(what());
};

test('it stops, then kills, without anybody’s help', async () => {
  const pid = start('qemu-sleep');
  await delay(100);
  new DeadMansSwitch().arm({ pid, stopAtMs: machineTimeMs() + 100, killAfterMs: 600 });
  await until(() => state(pid) === 'T');
  const [, signal] = await new Promise<readonly unknown[]>((resolve) =>
    target.once('exit', (...how) => resolve(how)),
  );
  assert.equal(signal, 'SIGKILL');
});

test('armed anew, it strikes later; disarmed, never', async () => {
  const pid = start('qemu-sleep');
  await delay(100);
  const guard = new DeadMansSwitch();
  for (let round = 0; round < 5; round += 1) {
    guard.arm({ pid, stopAtMs: machineTimeMs() + 500, killAfterMs: 0 });
    await delay(200);
  }
  assert.equal(state(pid), 'S');
  guard.disarm();
  await delay(700);
  assert.equal(state(pid), 'S');
});

test('one that it stopped goes on when the time is moved, unless that was for a time that is over', async () => {
  const pid = start('qemu-sleep');
  await delay(100);
  const guard = new DeadMansSwitch();
  guard.arm({ pid, stopAtMs: machineTimeMs() + 50, killAfterMs: 20_000 });
  await until(() => state(pid) === 'T');
  guard.arm({ pid, stopAtMs: machineTimeMs() - 10, killAfterMs: 20_000, mayBeStopped: true });
  await delay(300);
  assert.equal(state(pid), 'T');
  guard.arm({ pid, stopAtMs: machineTimeMs() + 60_000, killAfterMs: 0, mayBeStopped: true });
  await until(() => state(pid) === 'S');
  guard.disarm();
});

test('nothing is left of it: neither of the ones before, nor of the last', async () => {
  const pid = start('qemu-sleep');
  const guard = new DeadMansSwitch();
  for (let round = 0; round < 10; round += 1)
    guard.arm({ pid, stopAtMs: machineTimeMs() + 61_000 + round, killAfterMs: 0 });
  const switches = (): number =>
    readdirSync('/proc').filter((entry) => {
      try {
        return readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes(`fence\0${pid}\0`);
      } catch {
        return false; // no process, or one that has ended
      }
    }).length;
  await until(() => switches() === 1);
  guard.disarm();
  await until(() => switches() === 0);
});

test('a process that has come to the number of a QEMU is left alone', async () => {
  const pid = start('other');
  await delay(100);
  new DeadMansSwitch().arm({ pid, stopAtMs: 0, killAfterMs: 0 });
  await delay(300);
  assert.equal(state(pid), 'S');
});
