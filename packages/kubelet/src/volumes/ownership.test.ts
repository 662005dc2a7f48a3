import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testPod } from '../testing/observed.ts';
import { ownTree } from './ownership.ts';

test('members of the group may use all that is in a claim, and a link in it changes nothing outside', async () => {
  const root = mkdtempSync(join(tmpdir(), 'pv-own-'));
  const claim = join(root, 'claim');
  const modes = { file: 0o600, program: 0o700, 'deep/below': 0o640 };
  try {
    mkdirSync(join(claim, 'deep'), { recursive: true, mode: 0o700 });
    for (const [name, mode] of Object.entries(modes)) {
      writeFileSync(join(claim, name), '');
      chmodSync(join(claim, name), mode);
    }
    writeFileSync(join(root, 'secret'), '', { mode: 0o600 });
    symlinkSync('../secret', join(claim, 'link'));
    const gid = process.getgid?.() ?? 0;
    await ownTree(claim, testPod({ securityContext: { fsGroup: gid } }));
    const modeOf = (name: string): string => (statSync(join(claim, name)).mode & 0o7777).toString(8);
    assert.deepEqual(['file', 'program', 'deep/below', 'deep', 'link'].map(modeOf), [
      '660',
      '770',
      '660',
      '770',
      '600',
    ]);
    assert.equal(statSync(claim).mode & 0o2070, 0o2070);
  } finally {
    rmSync(root, { recursive: true });
  }
});
