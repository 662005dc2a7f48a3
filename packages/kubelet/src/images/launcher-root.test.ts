import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { launcherRootImage } from './launcher-root.ts';

let images: string;
beforeEach(() => void (images = mkdtempSync(join(tmpdir(), 'launcher-root-'))));
afterEach(() => rmSync(images, { recursive: true }));

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

test('the root of launchers is on the file system of the home: memory cannot be mapped before Linux 6.3', async () => {
  const [root = ''] = (await launcherRootImage(join(images, 'root'))).layers;
  assert.equal(statSync(root).dev, statSync(images).dev);
  assert.match(readFileSync(join(root, 'etc/passwd'), 'utf8'), /^qemu:x:107:107:/m);
});

test('it is built once while the machine runs, and again after a restart or half a build', async () => {
  const directory = join(images, 'root');
  const [root = ''] = (await launcherRootImage(directory)).layers;
  const note = join(root, 'note');
  writeFileSync(note, '');
  await launcherRootImage(directory);
  assert.ok(isThere(note), 'containers may run from it');
  writeFileSync(join(directory, 'complete'), 'the boot id of another day');
  await launcherRootImage(directory);
  assert.ok(!isThere(note) && isThere(join(root, 'etc/passwd')));
  rmSync(join(directory, 'complete'));
  mkdirSync(note);
  await launcherRootImage(directory);
  assert.ok(!isThere(note));
});
