import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { VIRT_TAIL_WRAPPER } from './virt-tail-wrapper.ts';

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'podvisor-tail-'));
  writeFileSync(join(directory, 'virt-tail'), VIRT_TAIL_WRAPPER, { mode: 0o755 });
});
after(() => rmSync(directory, { recursive: true, force: true }));

type Tail = ChildProcessByStdio<null, Readable, null>;

const start = (file: string): Tail =>
  spawn(join(directory, 'virt-tail'), ['--logfile', file], { stdio: ['ignore', 'pipe', 'inherit'] });

/** Reads until the text has come. */
async function heard(tail: Tail, text: string): Promise<void> {
  let all = '';
  for await (const chunk of tail.stdout.iterator({ destroyOnReturn: false })) {
    all += String(chunk);
    if (all.includes(text)) return;
  }
  assert.fail(`ended after ${JSON.stringify(all)}, without ${text}`);
}

async function ended(tail: Tail): Promise<number | null> {
  const exit = once(tail, 'exit') as Promise<[number | null]>;
  tail.kill('SIGTERM');
  return (await exit)[0];
}

function hasChild(pid: number): boolean {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '';
}

async function eventually(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}

test('prints what is written, from a directory that comes later, also after the file was emptied', async () => {
  const place = join(directory, 'later');
  const file = join(place, 'log');
  const tail = start(file);
  mkdirSync(place);
  writeFileSync(file, 'first line of the guest\n');
  await heard(tail, 'first line');
  appendFileSync(file, 'second\n');
  await heard(tail, 'second');
  writeFileSync(file, 'new\n');
  await heard(tail, 'new');
  assert.equal(await ended(tail), 0);
});

test('ends when told, also while nothing is there to follow', { timeout: 30_000 }, async (t) => {
  const tail = start(join(directory, 'never', 'log'));
  t.after(() => tail.kill('SIGKILL'));
  // Its own child, which waits for the directory, tells that it has started.
  await eventually(() => hasChild(tail.pid ?? 0));
  assert.equal(await ended(tail), 0);
});
