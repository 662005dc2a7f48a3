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

/** Asked once a try: a switch that forks to look at the clock is there twice for a moment. */
const until = async (what: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (what()) return;
    await delay(10);
  }
  assert.fail(`not so after 1000 tries: ${what}`);
};
const told = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // no process, or one that has ended
  }
};
/** Resolves when the process is the named program and no longer ours. */
const start = async (name: string): Promise<number> => {
  target = spawn(join(directory, name), ['60']);
  const pid = target.pid ?? 0;
  await until(() => told(pid, 'comm').trim() === name && state(pid) === 'S');
  return pid;
};
const state = (pid: number): string | undefined => /^State:\s+(\w)/m.exec(told(pid, 'status'))?.[1];
const commands = (): string[] => readdirSync('/proc').map((entry) => told(Number(entry), 'cmdline'));
/** When the switches that wait for a process strike, in hundredths of a second of the machine. */
const switches = (pid: number): number[] =>
  commands().flatMap((command) => {
    const [, stopAt] = command.split(`fence\0${pid}\0`);
    return stopAt === undefined ? [] : [Number.parseInt(stopAt, 10)];
  });

test('it stops, then kills, without anybody’s help', async () => {
  const pid = await start('qemu-sleep');
  new DeadMansSwitch().arm({ pid, stopAtMs: machineTimeMs() + 100, killAfterMs: 600 });
  await until(() => state(pid) === 'T');
  const [, signal] = await new Promise<readonly unknown[]>((resolve) =>
    target.once('exit', (...how) => resolve(how)),
  );
  assert.equal(signal, 'SIGKILL');
});

test('armed anew, it strikes later; disarmed, never', async () => {
  const pid = await start('qemu-sleep');
  const guard = new DeadMansSwitch();
  for (const inMs of [60_000, 120_000, 180_000])
    guard.arm({ pid, stopAtMs: machineTimeMs() + inMs, killAfterMs: 0 });
  const isLast = (at: number): boolean => at * 10 > machineTimeMs() + 120_000;
  await until(() => switches(pid).length === 1 && switches(pid).every(isLast));
  guard.disarm();
  await until(() => switches(pid).length === 0);
  assert.equal(state(pid), 'S');
});

test('one that it stopped goes on when the time is moved, unless that was for a time that is over', async () => {
  const pid = await start('qemu-sleep');
  const guard = new DeadMansSwitch();
  guard.arm({ pid, stopAtMs: machineTimeMs() + 50, killAfterMs: 20_000 });
  await until(() => state(pid) === 'T');
  guard.arm({ pid, stopAtMs: machineTimeMs() - 10, killAfterMs: 21_000, mayBeStopped: true });
  // Whether the guest goes on is decided when it waits to kill: a program sleeps for so long.
  await until(() => commands().includes('sleep\u000021.000\0'));
  assert.equal(state(pid), 'T');
  guard.arm({ pid, stopAtMs: machineTimeMs() + 60_000, killAfterMs: 0, mayBeStopped: true });
  await until(() => state(pid) === 'S');
  guard.disarm();
});

test('nothing is left of it: neither of the ones before, nor of the last', async () => {
  const pid = await start('qemu-sleep');
  const guard = new DeadMansSwitch();
  for (let round = 0; round < 10; round += 1)
    guard.arm({ pid, stopAtMs: machineTimeMs() + 61_000 + round, killAfterMs: 0 });
  await until(() => switches(pid).length === 1);
  guard.disarm();
  await until(() => switches(pid).length === 0);
});

test('a process that has come to the number of a QEMU is left alone', async () => {
  const pid = await start('other');
  new DeadMansSwitch().arm({ pid, stopAtMs: 0, killAfterMs: 0 });
  // It was there when it was armed: when it is no more, it has looked and struck nobody.
  await until(() => switches(pid).length === 0);
  assert.equal(state(pid), 'S');
});
