/** What tenants put into volumes, and Pods that mount a part of them. Mounts for real. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { listMounts, unmountNow } from '@podvisor/sys';
import { container } from '../testing/observed.ts';
import { writeFilesAtomically } from '../volumes/atomic-files.ts';
import type { MountedVolume } from '../volumes/types.ts';
import { volumeMounts } from './volume-mounts.ts';

let root: string;
let bundles = 0;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-subpath-'));
  mkdirSync(join(root, 'machine'));
  writeFileSync(join(root, 'machine/shadow'), 'of the machine');
  mkdirSync(join(root, 'volume'));
});
afterEach(() => {
  for (const { mountPoint } of listMounts().toReversed())
    if (mountPoint.startsWith(`${root}/`)) unmountNow(mountPoint);
  rmSync(root, { recursive: true, force: true });
});

const mounted = async (volume: Partial<MountedVolume>, subPath: string): Promise<string> => {
  const files = { kind: 'files', path: join(root, 'volume'), readOnly: false, ...volume } as MountedVolume;
  const main = container('main', { volumeMounts: [{ name: 'v', mountPath: '/v', subPath }] });
  const [mount] = await volumeMounts(
    main,
    new Map([['v', files]]),
    join(root, `bundle-${(bundles += 1)}`),
    new Map(),
  );
  return mount?.source ?? '';
};

describe('subPath', () => {
  test('a link of the tenant’s leads nowhere', async () => {
    symlinkSync(join(root, 'machine'), join(root, 'volume/link'));
    for (const readOnly of [true, false]) await assert.rejects(mounted({ readOnly }, 'link/shadow'), /ELOOP/);
  });

  test('nor does one with the name that projected volumes use, in a claim or an image that is read only', async () => {
    symlinkSync(join(root, 'machine'), join(root, 'volume/..data'));
    await assert.rejects(mounted({ readOnly: true }, 'shadow'), /ENOENT/);
  });

  test('a key of a config map, and one that is not there', async () => {
    const files = new Map([['key', { content: Buffer.from('value'), mode: 0o644 }]]);
    await writeFilesAtomically(join(root, 'volume'), files, undefined);
    const projected = { readOnly: true, isProjected: true } as const;
    assert.equal(readFileSync(await mounted(projected, 'key'), 'utf8'), 'value');
    assert.ok(statSync(await mounted(projected, 'other')).isDirectory());
  });

  test('what is missing is made as open as the volume, and nothing else is opened', async () => {
    chmodSync(join(root, 'volume'), 0o777);
    assert.equal(statSync(await mounted({}, 'a/b')).mode & 0o777, 0o777);
    assert.equal(statSync(join(root, 'volume/a')).mode & 0o777, 0o777);
  });
});
