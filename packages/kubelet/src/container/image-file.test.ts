import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { imageFile } from './image-file.ts';

test('of what an image has in the place of a file only a plain and short one is read', () => {
  const root = mkdtempSync(join(tmpdir(), 'podvisor-image-file-'));
  try {
    writeFileSync(join(root, 'passwd'), 'root:x:0:0::/:/bin/sh\n');
    writeFileSync(join(root, 'long'), '');
    truncateSync(join(root, 'long'), 2 * 1024 ** 3 - 1);
    symlinkSync('/etc/passwd', join(root, 'link'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    assert.equal(imageFile(root, 'passwd'), 'root:x:0:0::/:/bin/sh\n');
    for (const name of ['long', 'link', 'pipe', '.', 'missing'])
      assert.equal(imageFile(root, name), '', name);
  } finally {
    rmSync(root, { recursive: true });
  }
});
