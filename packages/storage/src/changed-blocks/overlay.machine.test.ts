import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkTrackingOverlay, dataFileOf, ensureTrackingOverlay, trackedSinceMs } from './overlay.ts';
import { seal } from './seal.ts';

describe('the overlay that tracks changed blocks', () => {
  let directory: string;
  let overlay: string;
  let data: { path: string; block: boolean };
  const bitmaps = (): readonly string[] => {
    const info = JSON.parse(
      execFileSync('qemu-img', ['info', '--output=json', overlay], { encoding: 'utf8' }),
    );
    return (info['format-specific'].data.bitmaps ?? []).map(({ name }: { name: string }) => name);
  };

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'pv-cbt-'));
    overlay = join(directory, 'cbt', 'root.qcow2');
    data = { path: join(directory, 'disk,1.img'), block: false };
    writeFileSync(data.path, Buffer.alloc(1024 * 1024, 7));
  });
  after(() => rmSync(directory, { recursive: true }));

  test('it is made around the disk, which stays as it is', async () => {
    assert.equal(await ensureTrackingOverlay(overlay, data), 'made');
    assert.equal(dataFileOf(overlay), data.path);
    assert.deepEqual(readFileSync(data.path), Buffer.alloc(1024 * 1024, 7));
    execFileSync('qemu-img', ['compare', '-q', '-f', 'qcow2', '-F', 'raw', overlay, data.path]);
    execFileSync('qemu-img', ['bitmap', '--add', '-f', 'qcow2', overlay, 'b']);
    checkTrackingOverlay(overlay, data);
  });

  test('it is kept after an end in good order, once', async () => {
    seal(overlay, data);
    assert.equal(await ensureTrackingOverlay(overlay, data), 'kept');
    assert.deepEqual(bitmaps(), ['b']);
    // No seal: the last guest did not end in good order.
    assert.equal(await ensureTrackingOverlay(overlay, data), 'made');
    assert.deepEqual(bitmaps(), []);
  });

  test('a disk that somebody else wrote, or that has another size, begins anew', async () => {
    for (const change of [
      () => utimesSync(data.path, 1, 1),
      () => truncateSync(data.path, 2 * 1024 * 1024),
    ]) {
      seal(overlay, data);
      change();
      assert.equal(await ensureTrackingOverlay(overlay, data), 'made');
    }
  });

  test('a disk of another claim begins anew, also where nothing else tells them apart', async () => {
    assert.equal(await ensureTrackingOverlay(overlay, data, 'a'), 'made');
    const since = trackedSinceMs(overlay) ?? 0;
    seal(overlay, data);
    assert.equal(await ensureTrackingOverlay(overlay, data, 'a'), 'kept');
    assert.equal(trackedSinceMs(overlay), since);
    seal(overlay, data);
    assert.equal(await ensureTrackingOverlay(overlay, data, 'b'), 'made');
  });

  test('an overlay that names another file is never opened', async () => {
    const secret = join(directory, 'secret');
    writeFileSync(secret, Buffer.alloc(2 * 1024 * 1024));
    rmSync(overlay);
    const evil = ['create', '-q', '-f', 'qcow2', '-o', `data_file=${secret},data_file_raw=on`, overlay, '2M'];
    execFileSync('qemu-img', evil);
    seal(overlay, data);
    assert.throws(() => checkTrackingOverlay(overlay, data), /not shared/);
    assert.equal(await ensureTrackingOverlay(overlay, data), 'made');
    assert.equal(dataFileOf(overlay), data.path);
  });
});
