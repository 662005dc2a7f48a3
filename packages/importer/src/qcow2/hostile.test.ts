/** Tables of a stranger: whatever they say, the disk has its size and nothing is read or written outside. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ImageError } from '@podvisor/storage';
import * as fc from 'fast-check';
import { Arrivals } from './arrivals.ts';
import { ClusterFiles } from './cluster-files.ts';
import { completeDisk } from './complete.ts';
import { layoutOf, type Qcow2Layout } from './layout.ts';

const CLUSTER = 512;
const CLUSTERS = 12;
const SIZE = 100 * CLUSTER - 100;

/** Header, then clusters whose words are small numbers of sectors, sometimes marked as compressed or as zeros. */
const image = fc
  .array(
    fc.tuple(
      fc.constantFrom(0, 0x8000_0000, 0x4000_0000, 0x7fff_ffff),
      fc.nat(CLUSTERS + 2),
      fc.constantFrom(0, 1, 7),
    ),
    { minLength: 64, maxLength: 64 },
  )
  .chain((words) =>
    fc.tuple(
      fc.constant(words),
      fc.array(fc.nat(63), { minLength: 64 * CLUSTERS, maxLength: 64 * CLUSTERS }),
    ),
  )
  .map(([words, order]) => {
    const bytes = Buffer.alloc(CLUSTER * CLUSTERS);
    for (let i = 0; i < order.length; i += 1) {
      const [high, sector, low] = words[order[i] ?? 0] ?? [0, 0, 0];
      bytes.writeUInt32BE(high, i * 8);
      bytes.writeUInt32BE(sector * CLUSTER + low, i * 8 + 4);
    }
    bytes.fill(0, 0, CLUSTER);
    bytes.writeUInt32BE(0x514649fb, 0);
    bytes.writeUInt32BE(2, 4);
    bytes.writeUInt32BE(9, 20);
    bytes.writeBigUInt64BE(BigInt(SIZE), 24);
    bytes.writeUInt32BE(2, 36);
    bytes.writeBigUInt64BE(BigInt(CLUSTER * 2), 40);
    return bytes;
  });

test('hostile tables give a disk of the stated size or an ImageError', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-tables-'));
  try {
    await fc.assert(
      fc.asyncProperty(image, fc.nat(CLUSTERS), async (bytes, cut) => {
        const path = join(directory, 'disk');
        await using disk = await open(path, 'w+');
        await using kept = await open(join(directory, 'kept'), 'w+');
        const layout = layoutOf(bytes);
        assert.ok(layout);
        const files = new ClusterFiles(layout, { disk, kept });
        await files.write(bytes.subarray(0, (CLUSTERS - cut) * CLUSTER + (cut > 0 ? 77 : 0)));
        await files.flush();
        await disk.truncate(SIZE);
        try {
          await completeDisk(files, () => undefined, new AbortController().signal);
        } catch (error) {
          assert.ok(error instanceof ImageError, String(error));
        }
        assert.equal(statSync(path).size, SIZE);
      }),
      { numRuns: 60 },
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('what two tables claim is placed once, and only so much is waited for', () => {
  const layout: Qcow2Layout = {
    clusterBits: 9,
    clusterBytes: 512,
    virtualSizeBytes: 64 * 512,
    l1Offset: 512,
    l1Entries: 1,
  };
  const arrivals = new Arrivals(layout, 2);
  const table = (...clusters: number[]): Buffer => {
    const bytes = Buffer.alloc(512);
    for (const [i, cluster] of clusters.entries()) bytes.writeUInt32BE(cluster * 512, i * 8 + 4);
    return bytes;
  };
  const went = [
    Buffer.alloc(512),
    table(2),
    table(4, 4, 5, 6),
    undefined,
    undefined,
    undefined,
    undefined,
  ].map((bytes) => arrivals.arrive(bytes));
  assert.deepEqual(went, [undefined, undefined, undefined, undefined, 0, 2, undefined]);
  assert.equal(arrivals.placeOf(4), 0);
  assert.equal(arrivals.placeOf(6), undefined);
});
