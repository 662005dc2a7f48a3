import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderAttachmentPod } from './attachment.ts';

const MIB = 1 << 20;
const { spec } = renderAttachmentPod({
  name: 'hp-volume-a',
  namespace: 'default',
  image: 'launcher',
  launcher: { name: 'launcher', uid: 'u' },
  nodeName: 'node',
  seLinuxOptions: { level: 's0' },
  claims: [
    { volume: 'one', claimName: 'c', claimUid: 'u', block: false, capacityBytes: 3 * MIB + 5 },
    { volume: 'raw', claimName: 'd', claimUid: 'v', block: true },
  ],
});

/** What its program does with a directory in the place of the volume's. Root is not asked about modes. */
function run(directory: string): { readonly code: number | null; readonly said: string } {
  const script = (spec.containers[0]?.command?.at(-1) ?? '')
    .replace('image /one ', `image ${directory} `)
    .replace('exec sleep infinity', 'exit 0');
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { status, stdout } = spawnSync('/bin/sh', ['-c', script], { ...user, encoding: 'utf8' });
  return { code: status, said: stdout };
}

function inDirectory(body: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'attachment-'));
  chmodSync(directory, 0o777);
  try {
    body(directory);
  } finally {
    chmodSync(directory, 0o700);
    rmSync(directory, { recursive: true });
  }
}

test('an empty file system gets its image, whole MiB', () =>
  inDirectory((directory) => {
    assert.deepEqual(run(directory), { code: 0, said: '' });
    assert.equal(statSync(join(directory, 'disk.img')).size, 3 * MIB);
    assert.ok(!existsSync(join(directory, '.disk.img.new')));
    assert.deepEqual(run(directory), { code: 0, said: '' }, 'once more changes nothing');
  }));

test('a file system that it may not write into is told, with owner, mode and the way out', () =>
  inDirectory((directory) => {
    chmodSync(directory, 0o555);
    const { code, said } = run(directory);
    assert.equal(code, 1);
    assert.match(said, /^user 107 may not write into the file system of volume \S+: its directory belongs/);
    assert.match(said, /to \d+:\d+ and has mode 555; make it writable for group 107 or for all$/m);
  }));

test('a file system that has its image needs no right to its directory', () =>
  inDirectory((directory) => {
    writeFileSync(join(directory, 'disk.img'), '');
    chmodSync(directory, 0o555);
    assert.deepEqual(run(directory), { code: 0, said: '' });
  }));

test('what it says when it fails is kept with the Pod', () =>
  assert.equal(spec.containers[0]?.terminationMessagePolicy, 'FallbackToLogsOnError'));
