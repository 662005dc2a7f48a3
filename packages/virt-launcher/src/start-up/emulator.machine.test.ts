/**
 * A guest counts in many pages while it migrates between two emulating QEMUs, pass after pass. Without the script (run
 * `qemu-system-x86_64` itself below) pages of it arrive behind the others, two times out of three.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { COUNTED, countingGuest, countsIn } from '../testing/counting-guest.ts';
import { Qmp } from '../testing/qmp.ts';
import { emulatorScript } from './emulator.ts';

interface Migration {
  readonly status?: string;
  readonly ram?: { readonly 'dirty-sync-count': number };
}

const MEMORY = 128 * 1024 * 1024;
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `waited a minute in vain: ${what}`);
    await delay(20);
  }
}

/** The guest writes more in a pass than this lets through while it stands still. */
const SLOW = { 'max-bandwidth': 200_000_000, 'downtime-limit': 1 };
const PASSES = 12;

describe('an emulated guest that migrates', {
  skip: process.arch === 'x64' ? false : 'its guest is of x86',
}, () => {
  let directory: string;
  const running: ChildProcess[] = [];
  const path = (name: string): string => join(directory, name);
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'pv-dirty-'));
    writeFileSync(path('qemu'), emulatorScript('/usr/bin/qemu-system-x86_64'), { mode: 0o755 });
    writeFileSync(path('boot'), countingGuest());
  });
  const endAll = async (): Promise<void> => {
    for (const child of running.splice(0))
      if (child.exitCode === null && child.kill('SIGKILL'))
        await new Promise((end) => child.once('exit', end));
  };
  after(async () => {
    await endAll();
    rmSync(directory, { recursive: true, force: true });
  });

  const start = async (name: string, ...more: readonly string[]): Promise<Qmp> => {
    const args = [
      ...[
        '-machine',
        'pc,memory-backend=pc.ram',
        '-accel',
        'tcg',
        '-display',
        'none',
        '-vga',
        'none',
        '-net',
        'none',
      ],
      ...['-m', String(MEMORY / 1024 / 1024)],
      ...['-object', `{"qom-type":"memory-backend-ram","id":"pc.ram","size":${MEMORY}}`],
      ...['-drive', `file=${path('boot')},format=raw,if=floppy,read-only=on`],
      ...['-qmp', `unix:${path(name)},server=on,wait=off`, ...more],
    ];
    running.push(spawn(path('qemu'), args, { stdio: 'ignore' }));
    let qmp: Qmp | undefined;
    await until(`QEMU ${name} listens`, async () => {
      qmp = await Qmp.open(path(name)).catch(() => undefined);
      return qmp !== undefined;
    });
    assert.ok(qmp);
    return qmp;
  };
  const counts = async (qmp: Qmp): Promise<readonly number[]> => {
    await qmp.run('pmemsave', {
      val: COUNTED.startBytes,
      size: COUNTED.pages * COUNTED.pageBytes,
      filename: path('memory'),
    });
    return countsIn(readFileSync(path('memory')));
  };

  /** Moves a guest that counts; what has arrived of its counts, and after how many passes. */
  const move = async (time: number): Promise<{ arrived: readonly number[]; passes: number }> => {
    using source = await start(`source-${time}`);
    await until('the guest counts', async () => (await counts(source)).every((n) => n > 0));
    using target = await start(`target-${time}`, '-incoming', `unix:${path(`memory-${time}`)}`);
    await source.run('migrate-set-parameters', SLOW);
    await source.run('migrate', { uri: `unix:${path(`memory-${time}`)}` });
    let passes = 0;
    await until('it has moved', async () => {
      const { status, ram } = (await source.run('query-migrate')) as Migration;
      assert.notEqual(status, 'failed');
      passes = ram?.['dirty-sync-count'] ?? 0;
      if (passes >= PASSES) await source.run('migrate-set-parameters', { 'downtime-limit': 2_000 });
      return status === 'completed';
    });
    await target.run('stop');
    return { arrived: await counts(target), passes };
  };

  for (const time of [1, 2, 3])
    test(`loses no write, time ${time}`, async () => {
      // Both ends are hung up before their QEMUs are killed: one that is killed with events unsent resets.
      const { arrived, passes } = await move(time);
      await endAll();
      // It is stopped somewhere in its loop: the pages after that place are one behind.
      assert.ok(
        Math.max(...arrived) - Math.min(...arrived) <= 1,
        `after ${passes} passes: ${arrived.join(' ')}`,
      );
    });
});
