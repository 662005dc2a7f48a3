/** Memory is unpacked once, shown read-only, and gone when nobody needs it; with real mounts. */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SHARED_MEMORY } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { UNPACKED, writeState } from '@podvisor/storage';
import { listMounts } from '@podvisor/sys';
import { IDLE_MS } from './room.ts';
import { hideMemory, showMemory } from './show.ts';
import { MemoryStore } from './store.ts';
import { unpack, type UnpackData } from './unpack.ts';

const PAGE = 4096;
const KEY = Buffer.alloc(32, 5);
const be = (bytes: number, value: number): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt(value));
  return buffer.subarray(8 - bytes);
};
const text = (value: string): Buffer => Buffer.concat([be(1, value.length), Buffer.from(value)]);
const FOOTER = Buffer.concat([be(8, 0x10), be(1, 0x7e), be(4, 2)]);

/** QEMU's stream of a guest of two pages, the second full of `letter`. */
const stream = (letter: string): Buffer =>
  Buffer.concat([
    ...[Buffer.from('QEVM'), be(4, 3), be(1, 1), be(4, 2), text('ram'), be(4, 0), be(4, 4)],
    ...[be(8, 2 * PAGE + 4), text('pc.ram'), be(8, 2 * PAGE), FOOTER],
    ...[be(1, 3), be(4, 2), be(8, PAGE + 8), text('pc.ram'), Buffer.alloc(PAGE, letter), FOOTER],
    Buffer.from('devices'),
  ]);

describe('memory that copies share', () => {
  let directory: string;
  let unpacked = 0;
  const clock = new FakeClock();
  const inUse = new Set<string>();
  const node = { totalBytes: 1024 ** 3, availableBytes: 1024 ** 3 };
  const state = (name: string): string => join(directory, name);
  const store = (): MemoryStore =>
    new MemoryStore({
      directory: join(directory, 'store'),
      isInUse: (name) => inUse.has(name),
      nodeMemory: () => node,
      unpack: (data: UnpackData) => {
        unpacked += 1;
        return unpack(data);
      },
      clock,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
  const wanted = (name: string, namespace = 'one') => ({
    namespace,
    statePath: state(name),
    key: KEY.toString('base64'),
    guestBytes: 2 * PAGE,
  });
  const mounts = (): number =>
    listMounts().filter(({ mountPoint }) => mountPoint.startsWith(`${directory}/`)).length;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pv-shared-'));
    const chunks = async function* (bytes: Buffer) {
      yield bytes;
    };
    await writeState(state('a'), KEY, {}, chunks(stream('a')));
    await writeState(state('other'), KEY, {}, chunks(stream('b')));
    await writeState(state('foreign'), KEY, {}, chunks(Buffer.from('not a guest at all')));
    writeFileSync(state('copy'), readFileSync(state('a')));
  });
  after(() => {
    hideMemory(join(directory, 'pod'));
    clock.advance(2 * IDLE_MS);
    inUse.clear();
    store().sweep(Number.MAX_SAFE_INTEGER);
    rmSync(directory, { recursive: true });
  });

  test('is unpacked once for all copies of one state in one namespace', async () => {
    const one = store();
    const [first, second] = await Promise.all([one.want(wanted('a')), one.want(wanted('copy'))]);
    assert.ok(first !== undefined && first === second);
    assert.equal(unpacked, 1);
    const elsewhere = await one.want(wanted('a', 'two'));
    assert.notEqual(elsewhere, first);
    assert.notEqual(await one.want(wanted('other')), first);
    assert.equal(unpacked, 3);
    using handle = one.open(first);
    const memory = readFileSync(join(handle.procPath, UNPACKED.memory));
    assert.ok(memory.equals(Buffer.concat([Buffer.alloc(PAGE), Buffer.alloc(PAGE, 'a')])));
    assert.equal(readFileSync(join(handle.procPath, UNPACKED.rest)).subarray(-7).toString(), 'devices');
    assert.equal(statSync(join(directory, 'store')).mode & 0o777, 0o700);
  });

  test('cannot be changed where it is shown, and goes from there', async () => {
    const one = store();
    const name = (await one.want(wanted('a'))) ?? '';
    using handle = one.open(name);
    const pod = join(directory, 'pod');
    mkdirSync(pod);
    showMemory(pod, handle);
    const shown = join(pod, SHARED_MEMORY, UNPACKED.memory);
    assert.equal(readFileSync(shown).at(-1), 'a'.charCodeAt(0));
    assert.throws(() => writeFileSync(shown, 'x', { flag: 'r+' }), { code: 'EROFS' });
    assert.throws(() => writeFileSync(join(pod, SHARED_MEMORY, 'more'), 'x'), { code: 'EROFS' });
    showMemory(pod, handle);
    hideMemory(pod);
    assert.deepEqual(readdirSync(pod), []);
    hideMemory(join(directory, 'gone'));
  });

  test('what cannot be unpacked is refused, once, and leaves nothing', async () => {
    const one = store();
    const [had, before] = [unpacked, mounts()];
    assert.equal(await one.want(wanted('foreign')), undefined);
    assert.equal(await one.want(wanted('foreign')), undefined);
    assert.equal(unpacked, had + 1);
    assert.equal(
      await one.want({ ...wanted('a', 'three'), key: Buffer.alloc(32).toString('base64') }),
      undefined,
    );
    assert.equal(mounts(), before);
  });

  test('where there is no room nothing is tried, and it is when there is some again', async () => {
    const one = store();
    const had = unpacked;
    node.availableBytes = PAGE;
    assert.equal(await one.want(wanted('a', 'four')), undefined);
    assert.equal(unpacked, had);
    node.availableBytes = 1024 ** 3;
    assert.notEqual(await one.want(wanted('a', 'four')), undefined);
  });

  test('a file that no state can be is not even read', async () => {
    const one = store();
    writeFileSync(state('endless'), '');
    truncateSync(state('endless'), 2 * 1024 ** 4);
    assert.equal(await one.want(wanted('endless')), undefined);
  });

  test('another life of the process uses what is there, and lets go of what nobody needs', async () => {
    await store().want(wanted('a'));
    const had = unpacked;
    const one = store();
    const name = (await one.want(wanted('a'))) ?? '';
    assert.equal(unpacked, had, 'it was there');
    inUse.add(name);
    clock.advance(IDLE_MS);
    one.sweep();
    assert.deepEqual(readdirSync(join(directory, 'store')), [name]);
    assert.equal(mounts(), 1);
    inUse.clear();
    one.sweep();
    assert.deepEqual(readdirSync(join(directory, 'store')), []);
    assert.equal(mounts(), 0);
  });
});
