import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DeadMansSwitch } from './dead-mans-switch.ts';

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
  new DeadMansSwitch().arm({ pid, stopInMs: 100, killAfterMs: 600 });
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
    guard.arm({ pid, stopInMs: 500, killAfterMs: 0 });
    await delay(200);
  }
  assert.equal(state(pid), 'S');
  guard.disarm();
  await delay(700);
  assert.equal(state(pid), 'S');
});

test('a process that has come to the number of a QEMU is left alone', async () => {
  const pid = start('other');
  await delay(100);
  new DeadMansSwitch().arm({ pid, stopInMs: 0, killAfterMs: 0 });
  await delay(300);
  assert.equal(state(pid), 'S');
});
