import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { BoundedWatch } from './bounded-watch.ts';

let directory: string;
let changes = 0;
let ends = 0;
let heard: () => void = () => {};
const options = {
  onChange: () => {
    changes += 1;
    heard();
  },
  onEnd: () => {
    ends += 1;
    heard();
  },
};
const write = (count: number): void => {
  for (let i = 0; i < count; i += 1) writeFileSync(join(directory, `file-${i}`), 'x');
};
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise<void>((resolve) => (heard = resolve));
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pv-watch-'));
  [changes, ends] = [0, 0];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('changes are told, so many of them at once, and the rest after a rest', {
  timeout: 10_000,
}, async () => {
  const clock = new FakeClock();
  using _watch = new BoundedWatch(directory, { clock, ...options });
  write(1);
  await until(() => changes > 0);
  write(500);
  await until(() => changes === 50);
  write(500);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(changes, 50, 'and nothing more');
  clock.advance(1_000);
  assert.equal(changes, 51, 'what came meanwhile');
  write(1);
  await until(() => changes > 51);
  assert.equal(ends, 0);
});

test('a directory that went away during a rest is the end', { timeout: 10_000 }, async () => {
  const clock = new FakeClock();
  using _watch = new BoundedWatch(directory, { clock, ...options });
  write(500);
  await until(() => changes === 50);
  await new Promise((resolve) => setTimeout(resolve, 100));
  rmSync(directory, { recursive: true });
  clock.advance(1_000);
  assert.deepEqual([changes, ends], [50, 1]);
});
