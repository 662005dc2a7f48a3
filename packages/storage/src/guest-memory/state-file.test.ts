import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readState, StateDamaged, writeState } from './state-file.ts';

const KEY = Buffer.alloc(32, 9);

test('a storage that fails while a state is read says nothing of the state', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'state-'));
  try {
    const path = join(directory, 'state');
    await writeState(
      path,
      KEY,
      {},
      (async function* () {
        for (let part = 0; part < 20; part += 1) yield Buffer.from(`${Math.random()}`.repeat(10_000));
      })(),
    );
    const bytes = readFileSync(path);
    /** Of a storage that is there for so many bytes. */
    const readUntil = async (end: number, error: Error): Promise<void> => {
      let at = 0;
      const { memory } = await readState(async (length) => {
        if (at + length > end) throw error;
        at += length;
        return bytes.subarray(at - length, at);
      }, KEY);
      for await (const _ of memory());
    };
    const gone = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
    for (const end of [0, 60, bytes.length / 2, bytes.length - 1])
      await assert.rejects(readUntil(Math.floor(end), gone), gone, `${end} bytes`);
    await assert.rejects(readUntil(bytes.length - 1, new Error('of our own making')), StateDamaged);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
