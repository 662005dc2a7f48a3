import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepCache, takeOutCache } from './capabilities-cache.ts';

test('several nodes of one machine that swap the cache at once end with one whole cache', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-cache-'));
  try {
    const made = join(directory, 'made');
    mkdirSync(join(made, 'capabilities'), { recursive: true });
    for (let i = 0; i < 10; i += 1) writeFileSync(join(made, 'capabilities', `${i}.xml`), 'x');
    const swap = `
      const { keepCache } = await import(${JSON.stringify(join(import.meta.dirname, 'capabilities-cache.ts'))});
      for (let i = 0; i < 40; i += 1) keepCache(${JSON.stringify(directory)}, 'made', ${JSON.stringify(directory)});`;
    const nodes = [1, 2, 3].map(() =>
      once(spawn(process.execPath, ['--input-type=module', '-e', swap], { stdio: 'inherit' }), 'exit'),
    );
    assert.deepEqual(
      (await Promise.all(nodes)).map(([code]) => code as unknown),
      [0, 0, 0],
    );
    const place = join(directory, 'libvirt/qemu');
    assert.deepEqual(readdirSync(place), ['cache'], 'nothing is left beside it');
    assert.equal(readFileSync(join(place, 'cache/capabilities/9.xml'), 'utf8'), 'x');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('what another process of nobody puts there is not followed, and root changes no file of its choice', () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-cache-'));
  const [made, kept] = [join(directory, 'made'), join(directory, 'libvirt/qemu/cache/capabilities')];
  try {
    mkdirSync(join(made, 'capabilities'), { recursive: true });
    const secret = join(directory, 'secret');
    writeFileSync(secret, 'secret', { mode: 0o600 });
    symlinkSync(secret, join(made, 'capabilities/link.xml'));
    linkSync(secret, join(made, 'capabilities/second-name.xml'));
    symlinkSync(directory, join(made, 'capabilities/directory.xml'));
    writeFileSync(join(made, 'capabilities/plain.xml'), 'x');
    writeFileSync(join(made, 'capabilities/other'), 'x');
    keepCache(directory, 'made', directory);
    assert.deepEqual(readdirSync(kept), ['plain.xml']);
    assert.equal(statSync(secret).mode & 0o777, 0o600);
    // The directory itself is a link: nothing of it is taken.
    renameSync(join(made, 'capabilities'), join(directory, 'elsewhere'));
    symlinkSync('../elsewhere', join(made, 'capabilities'));
    writeFileSync(join(directory, 'elsewhere/more.xml'), 'x');
    keepCache(directory, 'made', directory);
    assert.deepEqual(readdirSync(kept), ['plain.xml']);
    mkdirSync(join(directory, 'next/capabilities'), { recursive: true });
    assert.deepEqual(takeOutCache(directory, join(directory, 'next')), ['capabilities/plain.xml']);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
