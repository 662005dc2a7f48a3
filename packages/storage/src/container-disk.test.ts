import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findContainerDisk } from './container-disk.ts';

test('a path that is not in the image is told, with what is there', () => {
  const image = mkdtempSync(join(tmpdir(), 'pv-image-'));
  try {
    assert.throws(() => findContainerDisk(image), /disk cannot be opened .* no directory \/disk/);
    mkdirSync(join(image, 'disk'));
    assert.throws(() => findContainerDisk(image), /exactly one file in \/disk, but it holds 0/);
    writeFileSync(join(image, 'disk/root.img'), 'x');
    assert.equal(findContainerDisk(image), join(image, 'disk/root.img'));
    assert.throws(() => findContainerDisk(image, '/disk/rot.img'), /no such file; it has \/disk\/root\.img/);
    for (let name = 0; name < 150; name += 1) writeFileSync(join(image, `disk/${name}`), '');
    assert.throws(() => findContainerDisk(image), /but it holds 100 or more/, 'nobody counts them all');
  } finally {
    rmSync(image, { recursive: true });
  }
});
