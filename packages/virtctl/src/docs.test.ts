/** The pages in docs/ say what the program does. `UPDATE_DOCS=1 node --test …` writes what can be written. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from './program.ts';
import { documentedCommands } from './testing/documented-commands.ts';
import { buildPodvisor } from './podvisor/supervisor/program.ts';
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

/** Pages for people who begin: what they type must be there. */
const PAGES = ['first-hour', 'cookbook', 'coming-from', 'run', 'import', 'home-backup', 'users', 'catalogue'];

for (const page of PAGES)
  test(`docs/${page}.md: every command and flag of ours is there`, () => {
    const programs = { virtctl: buildProgram(testShell()), podvisor: buildPodvisor('') };
    const text = readFileSync(join(docs, `${page}.md`), 'utf8');
    const found = documentedCommands(text);
    assert.ok(found.length > 0);
    const problems = found.flatMap(({ program, words, flags }) => {
      let command = programs[program];
      for (const word of words) {
        const child = command.commands.find((one) => one.name() === word);
        if (child === undefined) break;
        command = child;
      }
      if (command === programs[program]) return [`${program} ${words.join(' ')}: no such command`];
      const known = [...command.options, ...programs[program].options].flatMap(({ long, short }) => [
        long,
        short,
      ]);
      return flags
        .filter((flag) => !known.includes(flag) && flag !== '--help')
        .map((flag) => `${program} ${words.join(' ')}: no flag ${flag}`);
    });
    assert.deepEqual(problems, []);
  });
