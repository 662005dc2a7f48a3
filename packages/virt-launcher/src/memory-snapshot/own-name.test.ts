import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { rename } from './own-name.ts';

describe('the host name of a copy', () => {
  const directory = mkdtempSync(join(tmpdir(), 'name-'));
  after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'hostname');
  /** `hostname` is a function of this body. */
  const renamed = (path: string, hostname: string): number | null =>
    spawnSync('sh', ['-c', `${rename(path)}\nhostname() { ${hostname}; }\nrename "$1"`, 'sh', 'copy']).status;

  test('is told to the kernel, without a process', () => {
    writeFileSync(file, 'origin\n');
    assert.equal(renamed(file, 'exit 9'), 0);
    assert.equal(readFileSync(file, 'utf8'), 'copy\n');
  });

  test('is given by a program where the kernel has no such file', () => {
    const missing = join(directory, 'none/hostname');
    assert.equal(renamed(missing, 'echo copy'), 0);
    assert.equal(renamed(missing, 'false'), 1);
  });

  test('that the guest does not take is an error', () => {
    assert.equal(renamed('/dev/null', 'echo origin'), 1);
  });
});
