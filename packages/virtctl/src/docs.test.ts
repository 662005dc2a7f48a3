/** The pages in docs/ say what the program does. `UPDATE_DOCS=1 node --test …` writes what can be written. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from './program.ts';
import { testShell } from './testing/test-shell.ts';
import { whyDocument } from './why/document.ts';

const docs = join(import.meta.dirname, '../../../docs');

test('docs/why.md is the catalogue', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(join(docs, 'why.md'), whyDocument());
  assert.equal(readFileSync(join(docs, 'why.md'), 'utf8'), whyDocument());
});

test('docs/virtctl.md names every command', () => {
  const text = readFileSync(join(docs, 'virtctl.md'), 'utf8');
  const names = (command: Command, before: string): readonly string[] =>
    command.commands.flatMap((child) => {
      const name = `${before}${child.name()}`;
      return child.commands.length > 0 && child.registeredArguments.length === 0
        ? names(child, `${name} `)
        : [name];
    });
  const all = names(buildProgram(testShell()), '').filter((name) => !name.startsWith('_'));
  assert.deepEqual(
    all.filter((name) => !text.includes(`\`${name}`)),
    [],
  );
});
