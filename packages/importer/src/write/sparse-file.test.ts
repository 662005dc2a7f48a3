import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataRanges, SparseWriter } from './sparse-file.ts';

test('blocks of zeros are left out', () => {
  const bytes = Buffer.alloc(5 * 65536 + 10);
  bytes[65536] = 1;
  bytes[2 * 65536] = 1;
  bytes[bytes.length - 1] = 1;
  assert.deepEqual(dataRanges(bytes), [
    [65536, 3 * 65536],
    [5 * 65536, 5 * 65536 + 10],
  ]);
});

test('what was written is read, holes are holes, and too much is refused', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-sparse-'));
  try {
    const path = join(directory, 'f');
    await using handle = await open(path, 'w+');
    const writer = new SparseWriter(handle, { limitBytes: 17 << 20, writeZeros: false });
    const zeros = Buffer.alloc(1 << 20);
    await writer.write(Buffer.from('begin'));
    for (let i = 0; i < 16; i += 1) await writer.write(zeros);
    await writer.write(Buffer.from('end'));
    await writer.flush();
    const content = readFileSync(path);
    assert.equal(content.subarray(0, 5).toString(), 'begin');
    assert.equal(content.subarray(-3).toString(), 'end');
    assert.equal(content.length, writer.position);
    assert.ok(statSync(path).blocks * 512 < 1 << 20);
    await assert.rejects(writer.write(zeros), /A larger PVC is required/);
    await using readOnly = await open(path, 'r');
    const failing = new SparseWriter(readOnly, { limitBytes: 1 << 30, writeZeros: true });
    await failing.write(Buffer.from('lost'));
    await assert.rejects(failing.flush(), { code: 'EBADF' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
