/** What is unpacked is the guest's memory, byte by byte, and nothing that is damaged counts as whole. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { DEVICES, example } from '../testing/qemu-stream.ts';
import { StateDamaged, writeState } from './state-file.ts';
import { stateDigest, UNPACKED, unpackMemory } from './unpack.ts';

const KEY = Buffer.alloc(32, 9);
const LIMITS = { memoryBytes: 1024 * 1024, restBytes: 1024 * 1024 };

describe('memory that is unpacked', () => {
  const directory = mkdtempSync(join(tmpdir(), 'unpack-'));
  after(() => rmSync(directory, { recursive: true }));
  const state = join(directory, 'state');
  let made = 0;
  const empty = (): string => {
    const path = join(directory, String((made += 1)));
    mkdirSync(path);
    return path;
  };
  const write = async (stream: Buffer): Promise<void> => {
    const chunks = async function* (): AsyncGenerator<Buffer> {
      yield stream;
    };
    await writeState(state, KEY, {}, chunks());
  };

  test('is what the guest had, with what was sent last', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { stream, memory } = example(seed);
      await write(stream);
      const into = empty();
      const { digest, memoryBytes } = await unpackMemory(state, KEY, into, LIMITS);
      assert.equal(digest, await stateDigest(state));
      assert.equal(memoryBytes, memory.length);
      assert.ok(readFileSync(join(into, UNPACKED.memory)).equals(memory), `seed ${seed}`);
      assert.ok(readFileSync(join(into, UNPACKED.rest)).subarray(-DEVICES.length).equals(DEVICES));
      assert.equal(statSync(join(into, UNPACKED.memory)).mode & 0o222, 0, 'nobody may write to it');
    }
  });

  test('is not whole when its file was changed or cut', async () => {
    await write(example(3).stream);
    const bytes = readFileSync(state);
    const changed = Buffer.from(bytes);
    changed[200] = (changed[200] ?? 0) ^ 1;
    for (const content of [changed, bytes.subarray(0, -30)]) {
      writeFileSync(state, content);
      const into = empty();
      await assert.rejects(unpackMemory(state, KEY, into, LIMITS), StateDamaged);
      assert.equal(existsSync(join(into, UNPACKED.whole)), false);
    }
  });

  test('what follows the end of a state is not part of it, and shows in the digest', async () => {
    await write(example(4).stream);
    writeFileSync(state, 'more', { flag: 'a' });
    const { digest } = await unpackMemory(state, KEY, empty(), LIMITS);
    assert.notEqual(digest, await stateDigest(state));
  });

  test('a file that grows while it is read is read no further than a state can be long', async () => {
    await write(example(5).stream);
    const bytes = statSync(state).size;
    const digest = await stateDigest(state, bytes);
    const reading = stateDigest(state, bytes);
    truncateSync(state, 8 * 1024 ** 4);
    await assert.rejects(reading, StateDamaged);
    truncateSync(state, bytes);
    assert.equal(await stateDigest(state, bytes), digest);
  });
});
