import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  emulatorScript,
  MEMORY_NOTE,
  prepareEmulator,
  prepareSharingEmulator,
  withoutSurplus,
} from './emulator.ts';

const KIB64 = 64 * 1024;
const ram = (id: string, size: number, more = ''): string =>
  `{"qom-type":"memory-backend-ram","id":"${id}"${more},"size":${size}}`;
const memfd = (id: string, size: number): string =>
  `{"qom-type":"memory-backend-memfd","id":"${id}","share":true,"x-use-canonical-path-for-ramblock-id":false,"size":${size},"host-nodes":[0],"policy":"bind"}`;

describe('QEMU without KVM', () => {
  let directory: string;
  let script: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'emulator-'));
    script = join(directory, 'qemu');
    writeFileSync(script, emulatorScript(`printf '%s\\0'`), { mode: 0o755 });
  });
  after(() => rmSync(directory, { recursive: true, force: true }));
  const run = (...args: readonly string[]): readonly string[] =>
    execFileSync(script, args).toString().split('\0').slice(0, -1);

  test('the one block of a guest is no multiple of 64 pages', () => {
    const GUEST = 192 * 1024 * 1024;
    assert.deepEqual(run('-m', '192', '-object', ram('pc.ram', GUEST), '-smp', '2'), [
      ...['-m', 'size=196672k', '-object', ram('pc.ram', GUEST + KIB64), '-smp', '2'],
    ]);
  });

  test('so is each block of a guest with a ceiling and cells, and what comes later keeps its size', () => {
    const later = ram('memvirtiomem0', 1 << 30);
    const given = [
      ...['-m', 'size=2097152k,slots=1,maxmem=8388608k'],
      ...['-object', ram('ram-node0', 1 << 30), '-object', memfd('ram-node1', 1 << 30), '-object', later],
    ];
    assert.deepEqual(run(...given), [
      ...['-m', 'size=2097280k,slots=1,maxmem=8388736k', '-object', ram('ram-node0', (1 << 30) + KIB64)],
      ...['-object', memfd('ram-node1', (1 << 30) + KIB64), '-object', later],
    ]);
  });

  test('a guest that only shares its memory has what it was promised', () => {
    const plain = join(directory, 'plain');
    writeFileSync(plain, emulatorScript(`printf '%s\\0'`, 0), { mode: 0o755 });
    const words = ['-m', 'size=1048576k', '-object', ram('pc.ram', 1 << 30)];
    assert.deepEqual(execFileSync(plain, words).toString().split('\0').slice(0, -1), words);
  });

  test('memory that copies share is mapped for the one start that a note says so, or nothing starts', () => {
    const GUEST = 64 * 1024 * 1024;
    const words = ['-object', ram('pc.ram', GUEST), '-m', '64'];
    const file = `{"qom-type":"memory-backend-file","mem-path":"/shown/memory","share":false,"x-use-canonical-path-for-ramblock-id":false,"id":"pc.ram","size":${GUEST + KIB64}}`;
    writeFileSync(`${script}${MEMORY_NOTE}`, '/shown/memory\n/lib/x.so\n');
    try {
      // The library is not there: the loader says so, and the words are as they would be.
      assert.deepEqual(run(...words), ['-object', file, '-m', 'size=65600k']);
      for (const others of [
        ['-object', memfd('pc.ram', GUEST)],
        ['-object', ram('ram-node0', GUEST), '-object', ram('ram-node1', GUEST)],
        ['-machine', 'none'],
      ])
        assert.throws(() => run(...others), /cannot be shared/);
    } finally {
      rmSync(`${script}${MEMORY_NOTE}`);
    }
    assert.deepEqual(run(...words), ['-object', ram('pc.ram', GUEST + KIB64), '-m', 'size=65600k']);
  });

  test('other words reach QEMU as they are', () => {
    const words = [
      '-name',
      'guest=a b,x="y"',
      '-object',
      '{"qom-type":"secret","id":"pc.ram"}',
      '',
      '*',
      '$HOME',
    ];
    assert.deepEqual(run(...words), words);
  });

  test('libvirt knows of the script what it knows of QEMU; a mended QEMU needs none', async () => {
    const binary = `/usr/bin/qemu-system-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;
    const entry = (path: string): string =>
      join(directory, `${createHash('sha256').update(path).digest('hex')}.xml`);
    const known = (path: string, changed: number, version: number): string =>
      `<qemuCaps>\n  <emulator>${path}</emulator>\n  <qemuctime>${changed}</qemuctime>\n  <version>${version}</version>\n</qemuCaps>`;
    const path = join(directory, 'emulator');
    writeFileSync(entry(binary), known(binary, 1, 9_000_000));
    await prepareEmulator(path, directory);
    assert.equal(existsSync(path), false);
    writeFileSync(entry(binary), known(binary, 1, 7_002_022));
    await prepareEmulator(path, directory);
    const changed = Math.floor(statSync(path).ctimeMs / 1000);
    assert.equal(readFileSync(entry(path), 'utf8'), known(path, changed, 7_002_022));
    const sharing = join(directory, 'sharing');
    await prepareSharingEmulator(sharing, directory);
    assert.equal(existsSync(entry(sharing)), true);
    assert.equal(readFileSync(sharing, 'utf8'), emulatorScript(binary, 0));
  });

  test('nobody is told of what it adds', () => {
    const GUEST = 1 << 30;
    const two = { type: 'qemu', cpu: { numa: { cells: [{ id: '0' }, { id: '1' }] } } };
    assert.equal(withoutSurplus({ type: 'qemu' }, GUEST + KIB64), GUEST);
    assert.equal(withoutSurplus(two, GUEST + 2 * KIB64), GUEST);
    assert.equal(withoutSurplus({ type: 'qemu' }, GUEST), GUEST);
    assert.equal(withoutSurplus({ type: 'kvm' }, GUEST + KIB64), GUEST + KIB64);
  });
});
