import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { INTERRUPTED } from './interrupted.ts';

test('Ctrl+C says that the home goes on, and how it is ended', () => {
  const file = join(import.meta.dirname, 'interrupted.ts');
  const program = `import { tellWhenInterrupted } from ${JSON.stringify(file)}; tellWhenInterrupted(); process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 130);
  assert.ok(stderr.includes(INTERRUPTED), stderr);
});
