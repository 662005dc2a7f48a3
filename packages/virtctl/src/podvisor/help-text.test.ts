/** `UPDATE_DOCS=1 node --test …` writes docs/podvisor.txt. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { completionOf } from './completion.ts';
import { helpText } from './help-text.ts';
import { buildPodvisor } from './supervisor/program.ts';

const file = join(import.meta.dirname, '../../../../docs/podvisor.txt');

test('docs/podvisor.txt is what the program says', () => {
  const text = helpText(buildPodvisor(''));
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text);
});

test('bash completes commands, commands below them, and options', () => {
  const script = completionOf(buildPodvisor(''), 'bash');
  const complete = (...words: readonly string[]): string[] =>
    execFileSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _podvisor; printf '%s\\n' "\${COMPREPLY[@]}"`,
        '-',
        'podvisor',
        ...words,
      ],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n');
  assert.deepEqual(complete('do'), ['down', 'doctor']);
  assert.deepEqual(complete('node', 'k'), ['kill']);
  assert.deepEqual(complete('up', '--no'), ['--nodes', '--no-wait']);
});
