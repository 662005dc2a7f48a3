import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { limitConsoleLog } from './log-limit.ts';

test('a log beyond its limit is emptied, a small one is kept', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'console-log-'));
  const ending = new AbortController();
  try {
    const log = join(directory, 'log');
    limitConsoleLog(log, ending.signal, { maxBytes: 100, lookMs: 5 });
    writeFileSync(log, 'x'.repeat(60));
    appendFileSync(log, 'x'.repeat(60));
    const deadline = Date.now() + 5_000;
    while (statSync(log).size !== 0) {
      assert.ok(Date.now() < deadline, 'the log was not emptied');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    appendFileSync(log, 'again');
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(statSync(log).size, 5);
  } finally {
    ending.abort();
    rmSync(directory, { recursive: true });
  }
});
