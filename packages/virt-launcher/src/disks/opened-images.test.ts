import assert from 'node:assert/strict';
import {
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireOpened } from './opened-images.ts';

test('an image that was exchanged between the look and the opening is noticed', () => {
  const root = mkdtempSync(join(tmpdir(), 'pv-opened-'));
  const claim = join(root, 'vmi-disks', 'data');
  mkdirSync(claim, { recursive: true });
  const image = join(claim, 'disk.img');
  const secret = join(root, 'secret');
  const check = (): void => requireOpened([{ source: { file: image } } as never], process.pid);
  writeFileSync(image, 'disk');
  writeFileSync(secret, 'of the Pod');
  let fd = openSync(image, 'r');
  try {
    check();
    // A link was there when the image was opened, and is gone again.
    closeSync(fd);
    renameSync(image, `${image}.aside`);
    symlinkSync(secret, image);
    fd = openSync(image, 'r');
    assert.throws(check, /is a symbolic link/);
    rmSync(image);
    renameSync(`${image}.aside`, image);
    assert.throws(check, /is not the file that was opened/);
    closeSync(fd);
    fd = openSync(image, 'r');
    linkSync(image, join(claim, 'second'));
    assert.throws(check, /has 2 names/);
  } finally {
    closeSync(fd);
    rmSync(root, { recursive: true });
  }
});
