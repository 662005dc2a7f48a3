import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeOnce } from './make-once.ts';

function inDirectory(t: { after(done: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-make-once-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('of two that make a file at once, in turns, the first that is done names it, and it stays that one', async (t) => {
  const directory = inDirectory(t);
  const target = join(directory, 'below/image.tar');
  const first = Promise.withResolvers<void>();
  const making = makeOnce(target, async (path) => {
    appendFileSync(path, 'slow ');
    await first.promise;
    appendFileSync(path, 'one');
  });
  await makeOnce(target, async (path) => appendFileSync(path, 'quick one'));
  assert.equal(readFileSync(target, 'utf8'), 'quick one');
  first.resolve();
  await making;
  assert.equal(readFileSync(target, 'utf8'), 'quick one');
  assert.deepEqual(readdirSync(join(directory, 'below')), ['image.tar']);
});

test('what fails has no name and leaves nothing', async (t) => {
  const directory = inDirectory(t);
  const making = makeOnce(join(directory, 'image.tar'), async (path) => {
    appendFileSync(path, 'half');
    throw new Error('no more space');
  });
  await assert.rejects(making, /no more space/);
  assert.deepEqual(readdirSync(directory), []);
});

test('a file that is there is kept, and not made again', async (t) => {
  const directory = inDirectory(t);
  const target = join(directory, 'disk');
  await makeOnce(target, async (path) => appendFileSync(path, 'first'));
  await makeOnce(target, async () => assert.fail('made again'));
  assert.equal(readFileSync(target, 'utf8'), 'first');
  assert.deepEqual(readdirSync(directory), ['disk']);
});
