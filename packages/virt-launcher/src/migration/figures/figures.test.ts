import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LibvirtConnection } from '@podvisor/libvirt';
import { finalFigures } from './figures.ts';
import { sampleOf } from './progress.ts';

const domain = { name: 'default_vm', uuid: 'b9df5113-f58d-429a-ad18-97e8c36342c4', id: 1 };
const seen = sampleOf({ type: 2, stats: { disk_total: 500, disk_remaining: 100, data_total: 900 } }, 1);

function target(stats: Readonly<Record<string, number>> | undefined): LibvirtConnection {
  const jobStats = async (): Promise<unknown> => {
    if (stats === undefined) throw new Error('gone');
    return { type: 3, stats };
  };
  return { migration: { jobStats } } as unknown as LibvirtConnection;
}

test('the target says how long the guest stood still; copied disks are whole', async () => {
  const last = await finalFigures(target({ downtime_net: 42, data_processed: 700 }), domain, seen, 2);
  assert.deepEqual(
    [last?.downtimeMs, last?.processedBytes, last?.diskTotalBytes, last?.diskRemainingBytes],
    [42, 700, 500, 0],
  );
});

test('a target that does not say leaves what was seen last', async () => {
  assert.equal(await finalFigures(target(undefined), domain, seen, 2), seen);
});
