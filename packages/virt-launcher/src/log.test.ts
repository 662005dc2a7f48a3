import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stdoutLog } from './log.ts';

test('a raised verbosity shows more, and every line names its VM', (t) => {
  const written: string[] = [];
  t.mock.method(process.stdout, 'write', (text: string) => written.push(text) > 0);
  const base = { component: 'virt-launcher', namespace: 'n', name: 'a', uid: 'u' };
  stdoutLog(base).debug?.({}, 'not seen');
  stdoutLog(base, 5).debug?.({ command: 'x' }, 'seen');
  stdoutLog(base).warn({ error: new Error('e') }, 'failed');
  t.mock.restoreAll();
  const lines = written
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.map(({ time: _time, ...rest }) => rest),
    [
      { level: 20, ...base, command: 'x', msg: 'seen' },
      { level: 40, ...base, error: 'Error: e', msg: 'failed' },
    ],
  );
});
