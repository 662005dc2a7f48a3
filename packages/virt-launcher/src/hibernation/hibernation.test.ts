/** The parts of hibernation that need no guest. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Domain } from '@podvisor/translate';
import { misfits } from './fit.ts';
import { MemoryEnd } from './memory-end.ts';
import { reasonsAgainstCopy } from './fit-copy.ts';
import type { StateMeta } from './meta.ts';
import {
  clearBeforeGoingOn,
  clearStates,
  consumeState,
  giveStateBack,
  judgeState,
  noteTry,
  spendState,
  statePaths,
  triesOf,
} from './state-directory.ts';
import { untaken } from './wake.ts';
import { openState, StateDamaged, writeState } from '@podvisor/storage';
import { targetCookie } from './target-cookie.ts';

const RAN = 'the guest had been woken from its state before, and ran';

test('how a guest begins follows from the names on the claim', () => {
  const whole = { id: 'x', isWhole: true };
  const unknown = { id: 'x', isWhole: false };
  assert.equal(judgeState(['state-x', 'disks-x'], whole).kind, 'wake');
  assert.equal(judgeState(['state-x'], unknown).kind, 'wake');
  assert.equal(judgeState(['state-x.partial'], unknown).kind, 'boot');
  assert.equal(judgeState([], unknown).kind, 'boot');
  assert.deepEqual(judgeState(['consumed-x'], whole), { kind: 'boot', why: RAN, spends: true });
  assert.deepEqual(judgeState(['spent-x'], whole), { kind: 'boot', why: RAN, spends: false });
  assert.equal(judgeState(['state-x.partial'], whole).kind, 'refuse');
  assert.equal(judgeState(['state-y', 'consumed-y'], whole).kind, 'refuse');
});

test('a guest goes on when no state of it can be loaded any more, and stands still until then', async () => {
  let tries = 0;
  const clear = async (): Promise<void> => {
    tries += 1;
    if (tries < 4) throw new Error('EIO');
  };
  await clearBeforeGoingOn(clear, async () => undefined);
  assert.equal(tries, 4);
  tries = 0;
  await assert.rejects(
    clearBeforeGoingOn(clear, () => Promise.reject(new Error('the launcher ends'))),
    /the launcher ends/,
  );
});

test('a state is consumed once, and given back only by a launcher whose guest nobody has booted since', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'consumed-'));
  const paths = statePaths(directory, 'x');
  const names = (): readonly string[] => readdirSync(directory).filter((name) => !name.startsWith('tried-'));
  try {
    writeFileSync(paths.whole, 'memory');
    await consumeState(directory, paths, { id: 'x', uid: 'first' });
    assert.deepEqual(names(), ['consumed-x']);
    await assert.rejects(consumeState(directory, paths, { id: 'x', uid: 'second' }), { code: 'ENOENT' });
    await giveStateBack(directory, paths);
    assert.equal(readFileSync(paths.whole, 'utf8'), 'memory', 'it can be woken from again');
    await assert.rejects(spendState(directory, paths), { code: 'ENOENT' }, 'who wanted to boot looks again');
    await consumeState(directory, paths, { id: 'x', uid: 'third' });
    await spendState(directory, paths);
    await assert.rejects(giveStateBack(directory, paths), { code: 'ENOENT' }, 'the disks move on');
    assert.deepEqual(names(), ['spent-x']);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('a state that is gone was taken by another; a storage that failed proves nothing', () => {
  const failed = (code: string): Error => Object.assign(new Error(code), { code });
  assert.match(String(untaken(failed('ENOENT'))), /StateInUse/);
  for (const code of ['EIO', 'ESTALE', 'ETIMEDOUT']) {
    const error = failed(code);
    assert.equal(untaken(error), error, 'it is tried again');
  }
});

describe('the state file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'state-'));
  const path = join(directory, 'state');
  const key = Buffer.alloc(32, 3);
  const memory = Buffer.from('all that the guest knows '.repeat(100_000));
  let bytes: Buffer;
  before(async () => {
    assert.equal(await writeState(path, key, { name: 'guest' }, chunksOf(memory)), readFileSync(path).length);
    bytes = readFileSync(path);
  });
  after(() => rmSync(directory, { recursive: true }));

  const read = async (content: Buffer, by: Buffer | undefined = key): Promise<Buffer> => {
    writeFileSync(path, content);
    await using reader = await openState(path, by);
    assert.deepEqual(reader.meta, { name: 'guest' });
    const parts: Buffer[] = [];
    for await (const part of reader.memory()) parts.push(part);
    return Buffer.concat(parts);
  };

  test('gives back what was written, in less room', async () => {
    assert.ok((await read(bytes)).equals(memory));
    assert.ok(bytes.length < memory.length / 4);
    assert.equal(bytes.includes('guest'), false);
  });

  test('every bit counts, and so does the end', async () => {
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 60)) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      await assert.rejects(read(changed), StateDamaged, `byte ${at}`);
    }
    for (const length of [0, 7, 40, 45, 100, bytes.length - 21, bytes.length - 1])
      await assert.rejects(read(bytes.subarray(0, length)), StateDamaged, `${length} bytes`);
    await assert.rejects(read(bytes, Buffer.alloc(32, 4)), StateDamaged);
  });
});

test('the end of a stream is known, wherever its chunks are cut', () => {
  const json = Buffer.from(JSON.stringify({ page_size: 4096, devices: [{ name: 'ram' }] }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  const stream = Buffer.concat([Buffer.from('QEVM…{"a":1}…'), Buffer.of(0, 6), length, json]);
  for (const step of [1, 7, 1000]) {
    const end = new MemoryEnd();
    for (let at = 0; at < stream.length; at += step)
      assert.equal(
        end.completes(stream.subarray(at, at + step)),
        at + step >= stream.length,
        `${step}: ${at}`,
      );
  }
});

test('a changed guest does not fit, a changed place does', () => {
  const domain = (cpu: string, path: string): Domain => ({
    memory: { value: 1, unit: 'b' },
    cpu: { mode: 'custom', model: { value: cpu } },
    devices: { emulator: path, disks: [{ device: 'disk', source: { file: path } }] },
  });
  assert.deepEqual(misfits(domain('Haswell', '/a'), domain('Haswell', '/b')), []);
  assert.deepEqual(misfits(domain('Haswell', '/a'), domain('Skylake', '/a')), [
    'cpu.model.value was "Haswell" and is "Skylake"',
  ]);
});

test('a state of a launcher whose QEMU had no monitor for numbers fits, one with other arguments does not', () => {
  const listening = (...more: string[]): Domain => ({
    qemuCommandLine: {
      args: [...more, '-chardev', 'socket,id=numbers,path=/a', '-mon', 'chardev=numbers,mode=control'].map(
        (value) => ({ value }),
      ),
    },
  });
  assert.deepEqual(misfits({}, listening()), []);
  assert.equal(misfits({}, listening('-fw_cfg', 'x')).length, 2);
});

test('the cookie of nobody names the guest and another host', () => {
  const source =
    '<qemu-migration><name>m</name><uuid>u</uuid><hostname>h</hostname><feature name="lockstate"/><capabilities><cap name="x"/></capabilities></qemu-migration>\0';
  const cookie = targetCookie(Buffer.from(source)).toString();
  assert.match(cookie, /<name>m<\/name><uuid>u<\/uuid><hostname>hibernation.invalid/);
  assert.match(cookie, /<cap name="x"\/>/);
  assert.doesNotMatch(cookie, /lockstate/);
});

async function* chunksOf(memory: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < memory.length; at += 65_536) yield memory.subarray(at, at + 65_536);
}

test('a copy goes on with disks whose lease an earlier try has taken, and with no others that were used', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tries-'));
  try {
    await noteTry(directory, 'x', 'first');
    await noteTry(directory, 'y', 'other');
    const tries = triesOf(readdirSync(directory), 'x');
    assert.deepEqual([...tries], ['first']);
    const meta = {
      domain: {},
      vmiUid: 'saved',
      claims: {},
      podDisks: [],
      leases: { root: { epoch: 3, uid: 'saved' } },
    };
    const against = (epoch: number, uid: string): readonly string[] =>
      reasonsAgainstCopy(
        meta as unknown as StateMeta,
        { domain: {}, hostCpu: undefined, disks: [], claims: {}, leases: { root: { epoch, uid } }, tries },
        'second',
      );
    assert.deepEqual(against(3, 'saved'), []);
    assert.deepEqual(against(4, 'first'), []);
    for (const [epoch, uid] of [
      [4, 'saved'],
      [4, 'other'],
      [3, 'first'],
      [2, 'first'],
    ] as const)
      assert.match(against(epoch, uid).join(), /not as it was at the instant/, `${epoch} ${uid}`);
    await clearStates(directory);
    assert.deepEqual(readdirSync(directory), []);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
