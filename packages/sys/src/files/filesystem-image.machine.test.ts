/** Directories with a size. Needs root. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  growFilesystemImage,
  imageBeside,
  makeFilesystemImage,
  mountFilesystemImage,
  unmountFilesystemImage,
} from './filesystem-image.ts';
import { loopDevicesOf } from './loop-device.ts';
import { unmountBelow } from './mounts.ts';

const root = mkdtempSync(join(tmpdir(), 'podvisor-filesystem-image-'));
after(async () => {
  await unmountBelow(root);
  rmSync(root, { recursive: true });
});

const MEBI = 1024 * 1024;
const free = (path: string): number => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};
const directory = (name: string): string => {
  const path = join(root, name);
  mkdirSync(path);
  return path;
};

for (const mebi of [1, 16, 1024, 20 * 1024, 500 * 1024])
  test(`${mebi} Mi have room for ${mebi} Mi, hardly more, and cost little while empty`, async () => {
    const path = directory(`size-${mebi}`);
    await makeFilesystemImage(path, mebi * MEBI);
    assert.deepEqual(readdirSync(path), []);
    assert.ok(free(path) >= mebi * MEBI, `${free(path) / MEBI} Mi are free`);
    assert.ok(free(path) < mebi * MEBI * 1.01 + 2 * MEBI, `${free(path) / MEBI} Mi are free`);
    assert.ok(statSync(imageBeside(path)).blocks * 512 < 48 * MEBI + (mebi * MEBI) / 500);
    await unmountFilesystemImage(path);
    assert.deepEqual(await loopDevicesOf(imageBeside(path)), []);
  });

test('more than fits meets the end of the space, and what is deleted is given back', async () => {
  const path = directory('full');
  await makeFilesystemImage(path, 16 * MEBI);
  assert.throws(() => writeFileSync(join(path, 'file'), Buffer.alloc(200 * MEBI, 1)), { code: 'ENOSPC' });
  const taken = (): number => statSync(imageBeside(path)).blocks * 512;
  assert.ok(taken() < 32 * MEBI);
  rmSync(join(path, 'file'));
  await unmountFilesystemImage(path);
  assert.ok(taken() < 10 * MEBI, `${taken() / MEBI} Mi are still taken`);
});

test('it is mounted once, however many ask', async () => {
  const path = directory('once');
  await makeFilesystemImage(path, 16 * MEBI);
  writeFileSync(join(path, 'kept'), 'kept');
  await unmountFilesystemImage(path);
  await Promise.all([1, 2, 3].map(() => mountFilesystemImage(path)));
  assert.equal((await loopDevicesOf(imageBeside(path))).length, 1);
  assert.equal(readFileSync(join(path, 'kept'), 'utf8'), 'kept');
});

test('it grows to the double while it is in use, and further at the latest when it is mounted again', async () => {
  const path = directory('grows');
  const isFull = (mebi: number): void =>
    assert.throws(() => writeFileSync(join(path, 'file'), Buffer.alloc(mebi * MEBI, 1)), { code: 'ENOSPC' });
  await makeFilesystemImage(path, 32 * MEBI);
  writeFileSync(join(path, 'kept'), 'kept');
  isFull(60);
  await growFilesystemImage(path, 48 * MEBI);
  assert.ok(
    free(path) + statSync(join(path, 'file')).blocks * 512 >= 48 * MEBI,
    `${free(path) / MEBI} Mi are free`,
  );
  writeFileSync(join(path, 'file'), Buffer.alloc(48 * MEBI, 1));
  isFull(80);
  rmSync(join(path, 'file'));
  await growFilesystemImage(path, 200 * MEBI);
  await unmountFilesystemImage(path);
  await mountFilesystemImage(path);
  writeFileSync(join(path, 'file'), Buffer.alloc(200 * MEBI, 1));
  isFull(260);
  await growFilesystemImage(path, 1 * MEBI);
  assert.equal(readFileSync(join(path, 'kept'), 'utf8'), 'kept');
});

test('it grows when it is mounted again, also while somebody still looks at its last loop device', async () => {
  const path = directory('looked-at');
  await makeFilesystemImage(path, 2 * MEBI);
  await growFilesystemImage(path, 40 * MEBI);
  const [device] = await loopDevicesOf(imageBeside(path));
  assert.ok(device);
  const looking = openSync(device, 'r');
  await unmountFilesystemImage(path);
  assert.deepEqual(await loopDevicesOf(imageBeside(path)), [device]);
  setTimeout(() => closeSync(looking), 300);
  await mountFilesystemImage(path);
  assert.ok(free(path) >= 40 * MEBI, `${free(path) / MEBI} Mi are free`);
  await unmountFilesystemImage(path);
});

/** Tools that end whoever called them, after the `count`-th of all of them has done its work. */
function deadlyTools(name: string, count: number): string {
  const tools = directory(name);
  for (const tool of ['flock', 'losetup', 'tune2fs', 'resize2fs']) {
    const real = `PATH="\${PATH#*:}" ${tool}`;
    const left = `echo >> ${tools}/.done; [ "$(wc -l < ${tools}/.done)" -ge ${count} ]`;
    writeFileSync(
      join(tools, tool),
      `#!/bin/sh\n${real} "$@"; code=$?\nif ${left}; then kill -9 $PPID; fi\nexit $code\n`,
    );
    chmodSync(join(tools, tool), 0o755);
  }
  return tools;
}

test('a growth whose process dies after any of its steps is finished by the next', async () => {
  const bytes = 40 * MEBI;
  for (let count = 1; ; count += 1) {
    const path = directory(`cut-${count}`);
    await makeFilesystemImage(path, 2 * MEBI);
    const module = JSON.stringify(join(import.meta.dirname, 'filesystem-image.ts'));
    const grow = `import { growFilesystemImage } from ${module}; await growFilesystemImage(${JSON.stringify(path)}, ${bytes});`;
    const { signal, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', grow], {
      env: { ...process.env, PATH: `${deadlyTools(`tools-${count}`, count)}:${process.env['PATH']}` },
      encoding: 'utf8',
    });
    await growFilesystemImage(path, bytes);
    await unmountFilesystemImage(path);
    await mountFilesystemImage(path);
    assert.ok(free(path) >= bytes, `cut after tool ${count}: ${free(path) / MEBI} Mi are free`);
    await unmountFilesystemImage(path);
    if (signal === 'SIGKILL') continue;
    assert.equal(status, 0, stderr);
    assert.ok(count > 3, 'it was cut at several places');
    return;
  }
});
