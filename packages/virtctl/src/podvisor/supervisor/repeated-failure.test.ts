import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failRepeatedly, repeatedFailure } from './repeated-failure.ts';

const line = (time: number, message: string, level = 60): string =>
  JSON.stringify({
    level,
    time,
    name: 'x',
    err: { type: 'Error', message },
    msg: 'the process cannot go on',
  });

test('the same words three times are told; fewer, older or other words are not', () => {
  const thrice = [1, 2, 3].map((time) => line(time, 'the key is gone'));
  assert.equal(repeatedFailure(thrice.join('\n'), 0), 'the key is gone');
  assert.equal(repeatedFailure(thrice.slice(1).join('\n'), 0), undefined);
  assert.equal(repeatedFailure(thrice.join('\n'), 2), undefined);
  assert.equal(repeatedFailure([...thrice.slice(1), line(4, 'the port is taken')].join('\n'), 0), undefined);
  assert.equal(repeatedFailure([1, 2, 3].map((time) => line(time, 'x', 50)).join('\n'), 0), undefined);
  assert.equal(repeatedFailure(`${thrice.slice(1).join('\n')}\n{"level":60,"ti`, 0), undefined);
});

test('up hears of it and names the process', async (t) => {
  const logs = mkdtempSync(join(tmpdir(), 'podvisor-logs-'));
  t.after(() => rmSync(logs, { recursive: true }));
  writeFileSync(
    join(logs, 'node-agent.log'),
    [1, 2, 3].map((time) => line(time, 'the key is gone')).join('\n'),
  );
  await assert.rejects(
    failRepeatedly(logs, 0, AbortSignal.timeout(5_000)),
    /^Error: node-agent cannot start: the key is gone$/,
  );
});
