import assert from 'node:assert/strict';
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { followLines } from './follow-file.ts';
import { formatLogLine, parseLogLine } from './log-lines.ts';
import { tailOffset } from './tail-offset.ts';

const directory = mkdtempSync(join(tmpdir(), 'podvisor-log-'));
after(() => rmSync(directory, { recursive: true }));

test('lines of the log are read and shown', () => {
  const line = parseLogLine(Buffer.from('2026-01-01T00:00:00.5Z stderr F two words'));
  assert.ok(line !== undefined);
  assert.equal(formatLogLine(line, false, false).toString(), 'two words\n');
  assert.equal(formatLogLine(line, true, false).toString(), '2026-01-01T00:00:00.5Z two words\n');
  assert.equal(formatLogLine({ ...line, complete: false }, false, false).toString(), 'two words');
  assert.equal(parseLogLine(Buffer.from('garbage')), undefined);
});

test('the last lines are found from the end', () => {
  const path = join(directory, 'tail');
  writeFileSync(path, Array.from({ length: 50_000 }, (_, i) => `${i}\n`).join(''));
  const fd = openSync(path, 'r');
  const size = 238_890 + 50_000;
  assert.equal(size - tailOffset(fd, 2), '49998\n49999\n'.length);
  assert.equal(tailOffset(fd, 60_000), 0);
  assert.equal(size - tailOffset(fd, 20_000), 20_000 * 6);
  closeSync(fd);
});

test('a growing file is followed until its writer has ended', async () => {
  const path = join(directory, 'follow');
  writeFileSync(path, 'one\n');
  let ended = false;
  const lines = followLines(
    { path, start: () => 0, follow: true, exitDirectory: directory, ended: () => ended },
    AbortSignal.timeout(5000),
  );
  const seen: string[] = [];
  for await (const line of lines) {
    seen.push(line.toString());
    if (seen.length === 1) appendFileSync(path, 'two\nthr');
    if (seen.length === 2) {
      appendFileSync(path, 'ee\n');
      ended = true;
    }
  }
  assert.deepEqual(seen, ['one', 'two', 'three']);
});
