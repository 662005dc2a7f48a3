import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('the front door, which may run as root, runs no script of an npm package', () => {
  const text = readFileSync(join(import.meta.dirname, '../../podvisor'), 'utf8');
  const installs = text.split('\n').filter((line) => /^\s*npm (install|ci)\b/.test(line));
  assert.ok(installs.length > 0);
  for (const line of installs) assert.match(line, / --ignore-scripts /);
});
