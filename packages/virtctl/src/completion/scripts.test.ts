/**
 * The scripts in the shells themselves: a program that tells what it was asked stands for ours, and a Tab key is typed.
 * zsh completes only at a terminal, which its own module zsh/zpty gives it.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { completionScript } from './scripts.ts';

const directory = mkdtempSync(join(tmpdir(), 'completion-'));
after(() => rmSync(directory, { recursive: true }));
const program = join(directory, 'podvisor');
// Words with brackets around each, so that an empty one is seen. Asked for anything else, it says that it ran.
writeFileSync(
  program,
  `#!/bin/sh
[ "$1" = __complete ] || { echo "ran: $*"; exit; }
shift 2
words=; for word; do words="$words[$word]"; done
case $words in
  '[node][]') printf '%s\n' list cut ;;
  '[node][cu]') echo cut ;;
  '[top][--output=j]') echo --output=json ;;
esac
`,
  { mode: 0o755 },
);
writeFileSync(join(directory, 'disk.qcow2'), '');
const env = { PATH: `${directory}:/usr/bin:/bin`, HOME: directory, TERM: 'xterm' };

const bash = (line: string): string[] => {
  const words = `COMP_LINE=$1; COMP_POINT=\${#1}; IFS=' =' read -r -a COMP_WORDS <<< "$1"; [[ $1 == *' ' ]] && COMP_WORDS+=("")`;
  const ask = `${words}; COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _podvisor; printf '%s\n' "\${COMPREPLY[@]}"`;
  return lines('bash', ['-c', `${completionScript('podvisor', 'bash')}\n${ask}`, '-', line]);
};

const fish = (line: string): string[] =>
  lines('fish', ['--no-config', '-c', `${completionScript('podvisor', 'fish')}\ncomplete -C "${line}"`]);

/** Types the line and the keys after it; waits until `shown` is on the screen. */
const zsh = (line: string, keys: string, shown: string): void => {
  writeFileSync(join(directory, 'script.zsh'), completionScript('podvisor', 'zsh'));
  const typed = `zmodload zsh/zpty; zpty shell zsh -f -i; zpty -w shell 'source script.zsh; print REA''DY'
    zpty -r -m shell heard '*READY*'; zpty -w -n shell "$1$2"; zpty -r -m shell heard "*$3*"; print found`;
  assert.deepEqual(lines('zsh', ['-f', '-c', typed, '-', line, keys, shown]), ['found']);
};

function lines(shell: string, args: readonly string[]): string[] {
  const options = { env, cwd: directory, encoding: 'utf8', timeout: 60_000 } as const;
  return execFileSync(shell, [...args], options)
    .trim()
    .split('\n');
}

const missing = (shell: string): string | false =>
  spawnSync(shell, ['-c', ':']).status === 0 ? false : `${shell} is not installed`;

test('bash asks with the words of the line, the last one as far as it is typed', () => {
  assert.deepEqual(bash('podvisor node '), ['list', 'cut']);
  assert.deepEqual(bash('podvisor node cu'), ['cut']);
  assert.deepEqual(bash('./podvisor node cu'), ['cut']);
  assert.deepEqual(bash('podvisor top --output=j'), ['json']);
});

test('fish does, and offers files where there is nothing else', { skip: missing('fish') }, () => {
  assert.deepEqual(fish('podvisor node ').toSorted(), ['cut', 'list']);
  assert.deepEqual(fish('podvisor node cu'), ['cut']);
  assert.deepEqual(fish('./podvisor node cu'), ['cut']);
  assert.deepEqual(fish('podvisor top --output=j'), ['--output=json']);
  assert.deepEqual(fish('podvisor up di'), ['disk.qcow2']);
});

test('zsh does, also where nothing was set up for completion', { skip: missing('zsh') }, () => {
  zsh('podvisor node ', '\t', 'cut*list');
  zsh('podvisor node cu', '\t\n', 'ran: node cut');
  zsh('./podvisor node cu', '\t\n', 'ran: node cut');
  zsh('podvisor top --output=j', '\t\n', 'ran: top --output=json');
  zsh('podvisor up di', '\t\n', 'ran: up disk.qcow2');
});

test('no script for a shell that we do not know', () => {
  assert.throws(() => completionScript('virtctl', 'csh'), /there is no completion for "csh"/);
});
