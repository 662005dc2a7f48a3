import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { CONTROL_PLANE_FLAGS, SMALL_PROCESS } from './processes.ts';

/** How many of Node's own modules were compiled at the start, instead of taken as they come. */
function compiledAnew(flags: readonly string[]): number {
  const program = `const { internalBinding } = require('internal/test/binding');
require('node:https');
const { compiledWithoutCache } = internalBinding('builtins').getCacheUsage?.() ?? internalBinding('builtins');
console.log([...compiledWithoutCache].length);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--expose-internals', ...flags, '-e', program],
    { encoding: 'utf8' },
  );
  assert.match(stdout, /^\d+\n$/, stderr);
  return Number(stdout);
}

test('components take Node’s own modules as they come, compiled', () => {
  assert.ok(compiledAnew(['--expose-gc']) > 20, 'a flag with which they are not taken is seen');
  assert.equal(compiledAnew(SMALL_PROCESS), 0);
  assert.equal(compiledAnew(CONTROL_PLANE_FLAGS), 0);
});
