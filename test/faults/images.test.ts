/**
 * A power cut in the middle of an import, a clone, a snapshot and an expansion: afterwards each is as before
 * or done, goes on by itself, and leaves nothing behind.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { PersistentVolumeClaim } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { type ImageServer, serveImage } from '../support/image-server.ts';
import { Instance } from '../support/instance.ts';
import { cutPower } from '../support/power-cut.ts';

const namespace = 'default';
const MIB = 1024 * 1024;

/** A disk of `sizeMib` with random bytes in its first quarter: enough to see any mixture. */
function makeDisk(path: string, sizeMib: number): void {
  const fd = openSync(path, 'w');
  const block = Buffer.alloc(MIB);
  for (let i = 0; i < sizeMib / 4; i += 1) writeSync(fd, randomFillSync(block));
  ftruncateSync(fd, sizeMib * MIB);
  closeSync(fd);
}

describe('power cut', { concurrency: 1 }, () => {
  let instance: Instance;
  let server: ImageServer;
  let image: string;

  const claim = (name: string, spec: Partial<PersistentVolumeClaim['spec']>) =>
    instance.client.create(resources.persistentVolumeClaims, {
      metadata: { namespace, name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '256Mi' } }, ...spec },
    });
  const bound = (name: string) =>
    eventually(`claim ${name} Bound`, 120_000, async () => {
      const found = await instance.client.get(resources.persistentVolumeClaims, { namespace, name });
      return found.status?.phase === 'Bound' ? found.spec.volumeName : undefined;
    });
  const diskOf = async (name: string) => join(instance.home, 'volumes', await bound(name), 'disk.img');
  const partials = () =>
    ['volumes', 'snapshots']
      .map((directory) => join(instance.home, directory))
      .filter((directory) => existsSync(directory))
      .flatMap((directory) => readdirSync(directory))
      .filter((name) => name.endsWith('.partial'));
  const up = async () => {
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
  };

  before(async () => {
    instance = await Instance.prepare();
    await up();
    image = join(instance.home, 'image.raw');
    makeDisk(image, 160);
    server = await serveImage(image, instance.podCidr.replace(/\.0\.0\/16$/, '.96.1'));
    await claim('origin', { volumeMode: 'Block' });
    makeDisk(await diskOf('origin'), 256);
    // Not the clone's source: a claim that has outgrown a clone that was asked for is not cloned into it any more.
    await claim('growing', { volumeMode: 'Block' });
    makeDisk(await diskOf('growing'), 256);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await instance?.purge();
  });

  test('import, clone, snapshot and expansion are whole afterwards', async () => {
    server.setRate(60 * MIB);
    await instance.client.create(resources.dataVolumes, {
      metadata: { namespace, name: 'imported' },
      spec: {
        source: { http: { url: server.url } },
        storage: { resources: { requests: { storage: '192Mi' } } },
      },
    });
    const directory = join(instance.home, 'volumes', await bound('imported'));
    // The note says that some of it is safe: from there on it must go on, not begin again.
    await eventually('part of the import is safe', 120_000, () =>
      existsSync(join(directory, '.import.json')) ? true : undefined,
    );
    server.setRate(0);
    const origin = { kind: 'PersistentVolumeClaim', name: 'origin' };
    await claim('clone', { volumeMode: 'Block', dataSource: origin });
    await instance.client.create(resources.volumeSnapshots, {
      metadata: { namespace, name: 'snapshot' },
      spec: { source: { persistentVolumeClaimName: 'origin' } },
    });
    const more = { spec: { resources: { requests: { storage: '300Mi' } } } };
    const key = { namespace, name: 'growing' };
    // On a fast disk it may be done before we look: that is no failure, only a weaker test.
    await eventually('a copy is under way or done', 60_000, async () => {
      if (partials().length > 0) return true;
      const found = await instance.client.get(resources.persistentVolumeClaims, { namespace, name: 'clone' });
      return found.status?.phase === 'Bound' ? true : undefined;
    });
    await instance.client.patch(resources.persistentVolumeClaims, key, { type: 'merge', body: more });
    cutPower(instance);
    assert.ok(!existsSync(join(directory, 'disk.img')), 'nothing half done looks done');
    server.setRate(Number.POSITIVE_INFINITY);
    await up();
    await eventually('the import is done', 180_000, async () => {
      const found = await instance.client.get(resources.dataVolumes, { namespace, name: 'imported' });
      return found.status?.phase === 'Succeeded' ? true : undefined;
    });
    await eventually('the snapshot is ready', 120_000, async () => {
      const found = await instance.client.get(resources.volumeSnapshots, { namespace, name: 'snapshot' });
      return found.status?.readyToUse;
    });
    await eventually('the expansion is done', 60_000, async () => {
      const { status } = await instance.client.get(resources.persistentVolumeClaims, key);
      return status?.capacity?.['storage'] === '300Mi' ? true : undefined;
    });
    assert.ok((server.offsets.at(-1) ?? 0) > 0, `the import went on in the middle: ${server.offsets.join()}`);
    execFileSync('cmp', ['-n', String(160 * MIB), image, await diskOf('imported')]);
    assert.deepEqual(readdirSync(directory), ['disk.img']);
    execFileSync('cmp', ['-n', String(256 * MIB), await diskOf('origin'), await diskOf('clone')]);
    assert.equal(statSync(await diskOf('growing')).size, 300 * MIB);
    const [snapshot = ''] = readdirSync(join(instance.home, 'snapshots'));
    const kept = join(instance.home, 'snapshots', snapshot, 'disk.img');
    execFileSync('cmp', ['-n', String(256 * MIB), await diskOf('origin'), kept]);
    assert.deepEqual(partials(), []);
  });
});
