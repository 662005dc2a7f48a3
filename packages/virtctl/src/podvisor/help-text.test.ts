/** `UPDATE_DOCS=1 node --test …` writes docs/podvisor.txt. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { helpText } from './help-text.ts';
import { buildPodvisor } from './supervisor/program.ts';

const file = join(import.meta.dirname, '../../../../docs/podvisor.txt');

test('docs/podvisor.txt is what the program says', () => {
  const text = helpText(buildPodvisor(''));
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text);
});
