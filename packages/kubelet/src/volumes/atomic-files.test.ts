import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFilesAtomically } from './atomic-files.ts';

const files = (content: Record<string, string>) =>
  new Map(Object.entries(content).map(([path, text]) => [path, { content: Buffer.from(text), mode: 0o640 }]));

test('files appear, change and vanish as one set', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-files-'));
  try {
    await writeFilesAtomically(directory, files({ a: '1', 'b/c': '2' }), undefined);
    assert.equal(readFileSync(join(directory, 'a'), 'utf8'), '1');
    assert.equal(readFileSync(join(directory, 'b/c'), 'utf8'), '2');
    assert.equal(statSync(join(directory, 'a')).mode & 0o777, 0o640);
    const first = readlinkSync(join(directory, '..data'));
    await writeFilesAtomically(directory, files({ a: '1', 'b/c': '2' }), undefined);
    assert.equal(readlinkSync(join(directory, '..data')), first, 'nothing changed, nothing moves');
    await writeFilesAtomically(directory, files({ a: '3' }), undefined);
    assert.equal(readFileSync(join(directory, 'a'), 'utf8'), '3');
    assert.deepEqual(
      readdirSync(directory).filter((name) => !name.startsWith('..')),
      ['a'],
    );
    assert.equal(
      readdirSync(directory).filter((name) => name.startsWith('..2')).length,
      1,
      'the old set is gone',
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('a path that leads out is refused', async () => {
  for (const path of ['../x', '/etc/x', 'a/../../x', '..data']) {
    await assert.rejects(
      writeFilesAtomically('/nonexistent', files({ [path]: '' }), undefined),
      /not a path inside/,
    );
  }
});
