import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('several nodes of one machine that swap the cache at once end with one whole cache', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-cache-'));
  try {
    const made = join(directory, 'made');
    mkdirSync(join(made, 'capabilities'), { recursive: true });
    for (let i = 0; i < 10; i += 1) writeFileSync(join(made, 'capabilities', `${i}.xml`), 'x');
    const swap = `
      const { keepCache } = await import(${JSON.stringify(join(import.meta.dirname, 'libvirt-probe.ts'))});
      for (let i = 0; i < 40; i += 1) keepCache(${JSON.stringify(made)}, ${JSON.stringify(directory)});`;
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
