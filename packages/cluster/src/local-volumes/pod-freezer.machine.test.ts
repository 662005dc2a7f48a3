/** Pods stand still while their volume is copied, and nobody stays so. Needs root and the freezer. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Clock, FakeClock, systemClock } from '@podvisor/base';
import { cgroupDirectories, cgroupVersion } from '@podvisor/sys';
import { PodFreezer } from './pod-freezer.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const instance = `test${process.pid}`;
const uid = 'pod';
const root = cgroupVersion() === 2 ? '/sys/fs/cgroup' : '/sys/fs/cgroup/freezer';
const group = join(root, 'podvisor', instance, uid);
let directory: string;
let ticker: ReturnType<typeof spawn>;

const freezer = (clock: Clock = systemClock): PodFreezer =>
  new PodFreezer({ noteFile: join(directory, 'still.json'), instance, canShare: () => false, clock, log });
const ticks = (): number => Number(readFileSync(join(directory, 'ticks'), 'utf8') || 0);
const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));
async function goesOn(): Promise<void> {
  const before = ticks();
  for (let i = 0; i < 200 && ticks() === before; i += 1) await pause(50);
  assert.notEqual(ticks(), before);
}

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'podvisor-still-'));
  writeFileSync(join(directory, 'ticks'), '0');
  mkdirSync(group, { recursive: true });
  const loop = `n=0; while :; do n=$((n+1)); echo $n > ${join(directory, 'new')}; mv ${join(directory, 'new')} ${join(directory, 'ticks')}; sleep 0.01; done`;
  ticker = spawn('sh', ['-c', loop], { stdio: 'ignore' });
  writeFileSync(join(group, 'cgroup.procs'), String(ticker.pid));
  await goesOn();
});
after(async () => {
  await freezer().thawLeftovers();
  const gone = new Promise((resolve) => ticker.once('exit', resolve));
  ticker.kill('SIGKILL');
  await gone;
  // The last child of the loop may need a moment to leave the group.
  for (let i = 0; i < 100; i += 1)
    try {
      rmdirSync(group);
      break;
    } catch {
      await pause(50);
    }
  for (const dir of cgroupDirectories(`/podvisor/${instance}`)) rmdirSync(dir);
  rmSync(directory, { recursive: true });
});

test('a Pod does nothing while its volume is copied, and goes on afterwards', async () => {
  const still = freezer();
  await still.during([uid], directory, async () => {
    const before = ticks();
    await pause(200);
    assert.equal(ticks(), before);
  });
  await goesOn();
  await assert.rejects(
    still.during([uid], directory, () => Promise.reject(new Error('no space'))),
    /no space/,
  );
  await goesOn();
});

test('who was left standing by a crash is let go', async () => {
  const crashed = freezer(new FakeClock());
  await new Promise<void>((resolve) => {
    void crashed.during([uid], directory, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
  await freezer().thawLeftovers();
  await goesOn();
});
