import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { limitConsoleLog } from './log-limit.ts';

test('a log beyond its limit is emptied at the next look, a small one is kept', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const directory = mkdtempSync(join(tmpdir(), 'console-log-'));
  const ending = new AbortController();
  try {
    const log = join(directory, 'log');
    const size = (): number => statSync(log).size;
    limitConsoleLog(log, ending.signal, { maxBytes: 100, lookMs: 5_000 });
    t.mock.timers.tick(5_000); // not there yet
    writeFileSync(log, 'x'.repeat(60));
    appendFileSync(log, 'x'.repeat(60));
    t.mock.timers.tick(4_999);
    assert.equal(size(), 120);
    t.mock.timers.tick(1);
    assert.equal(size(), 0);
    appendFileSync(log, 'again');
    t.mock.timers.tick(5_000);
    assert.equal(size(), 5);
    ending.abort();
    appendFileSync(log, 'x'.repeat(200));
    t.mock.timers.tick(5_000);
    assert.equal(size(), 205, 'nobody looks after the end');
  } finally {
    ending.abort();
    rmSync(directory, { recursive: true });
  }
});
