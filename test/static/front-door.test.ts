import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('help, version and completion of a fresh clone answer at once, and install nothing', () => {
  const clone = mkdtempSync(join(tmpdir(), 'clone-'));
  try {
    mkdirSync(join(clone, 'docs'));
    for (const file of ['podvisor', 'docs/podvisor.txt']) cpSync(join(root, file), join(clone, file));
    const say = (...words: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync(join(clone, 'podvisor'), words, {
        encoding: 'utf8',
        timeout: 5_000,
        env: { PATH: '/usr/bin:/bin' },
      });
      assert.equal(status, 0, `${words.join(' ')}: ${stderr}`);
      assert.equal(stderr, '');
      return stdout;
    };
    assert.match(say('--help'), /^Usage: podvisor .*\n[^]*\n  up /);
    assert.equal(say(), say('--help'));
    assert.equal(say('help'), say('--help'));
    assert.match(say('up', '--help'), /--nodes <n>/);
    assert.match(say('image', 'build', '-h'), /--disk <file>/);
    assert.equal(say('help', 'down'), say('down', '--help'));
    assert.match(say('--version'), /^v\d/);
    assert.match(say('completion', 'bash'), /_podvisor/);
    assert.match(say('__complete', '--', ''), /^up\ndown\n/);
    assert.equal(say('__complete', '--', 'node', ''), 'list\ncut\nkill\nheal\n');
    assert.equal(say('__complete', '--', 'node', 'cut', ''), '');
    assert.deepEqual(readdirSync(clone).toSorted(), ['docs', 'podvisor']);
  } finally {
    rmSync(clone, { recursive: true });
  }
});

test('the front door, which may run as root, runs no script of an npm package', () => {
  const text = readFileSync(join(root, 'podvisor'), 'utf8');
  const installs = text.split('\n').filter((line) => /^\s*npm (install|ci)\b/.test(line));
  assert.ok(installs.length > 0);
  for (const line of installs) assert.match(line, / --ignore-scripts /);
});
