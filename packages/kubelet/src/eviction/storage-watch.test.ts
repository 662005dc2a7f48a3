import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock } from '@podvisor/base';
import { podContainersDirectory, podDirectory } from '../context.ts';
import { podName, uidOf } from '../pod/types.ts';
import { Harness } from '../testing/harness.ts';
import { container, testPod } from '../testing/observed.ts';
import { exceededLimit, totalUsage } from './decide.ts';
import { diskUsage, fileCount } from './disk-usage.ts';
import { type StorageWatchOptions, watchStorage } from './storage-watch.ts';

const MEBI = 1024 * 1024;
const { home, context } = new Harness(15);
after(() => rmSync(home, { recursive: true }));
const limited = (name: string) =>
  testPod(
    { containers: [container('main', { resources: { limits: { 'ephemeral-storage': '1Mi' } } })] },
    { name, uid: `uid-of-${name}` },
  );

test('what a container writes through files that are bound into it counts as its own', async () => {
  const files = [
    (uid: string) => join(podDirectory(context, uid), 'etc-hosts'),
    (uid: string) => join(podDirectory(context, uid), 'resolv.conf'),
    (uid: string) => join(podDirectory(context, uid), 'hostname'),
    (uid: string) => join(podContainersDirectory(context, uid), 'main', '0', 'termination-log'),
  ];
  for (const [i, fileOf] of files.entries()) {
    const pod = limited(`writer-${i}`);
    const file = fileOf(uidOf(pod));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.alloc(2 * MEBI, 1));
    const usage = await diskUsage(context, pod);
    assert.ok(totalUsage(usage) >= 2 * MEBI, file);
    assert.match(exceededLimit(pod, usage) ?? '', /exceed/, file);
  }
});

const ROOMY = { bavail: 100, blocks: 100, bsize: 4096, ffree: 1000, files: 1000 };
const NOTHING = { volumes: new Map(), containers: new Map(), files: 0 };

/** Who is ended by one look at them, and why. */
async function evictedOf(options: Partial<StorageWatchOptions>): Promise<readonly (readonly string[])[]> {
  const clock = new FakeClock();
  const evicted: (readonly string[])[] = [];
  const ending = new AbortController();
  watchStorage(
    {
      context: { ...context, clock },
      usageOf: () => Promise.resolve(NOTHING),
      filesOf: () => Promise.resolve(0),
      disk: () => ROOMY,
      pods: () => [],
      evict: (pod, message) => evicted.push([podName(pod), message]),
      ...options,
    },
    ending.signal,
  );
  clock.advance(5000);
  for (let i = 0; i < 20; i += 1) await turn();
  ending.abort();
  return evicted;
}

test('a Pod whose files cannot be counted keeps no other from being ended', async () => {
  const [endless, greedy] = [limited('endless'), limited('greedy')];
  const evicted = await evictedOf({
    pods: () => [endless, greedy],
    usageOf: (pod) =>
      pod === endless
        ? Promise.reject(new Error('du did not end within 30000 ms'))
        : Promise.resolve({ ...NOTHING, containers: new Map([['main', 2 * MEBI]]) }),
  });
  assert.deepEqual(
    evicted.map(([name]) => name),
    [podName(greedy)],
  );
});

test('where files run out, the Pod with most of them goes, and one with few never', async () => {
  const [many, more, few] = [limited('many'), limited('more'), limited('few')];
  const counts = new Map([
    [many, 300],
    [more, 500],
    [few, 5],
  ]);
  const filesOf: StorageWatchOptions['filesOf'] = (pod) => Promise.resolve(counts.get(pod) ?? 0);
  const full = { ...ROOMY, ffree: 49 };
  const why = 'The node was low on resource: inodes. Threshold quantity: 50, available: 49. ';
  const all = [few, many, more];
  assert.deepEqual(await evictedOf({ filesOf, disk: () => full, pods: () => all }), [[podName(more), why]]);
  assert.deepEqual(await evictedOf({ filesOf, disk: () => full, pods: () => [few] }), []);
  assert.deepEqual(await evictedOf({ filesOf, pods: () => all }), []);
  assert.deepEqual(
    await evictedOf({ filesOf, disk: () => ({ ...ROOMY, ffree: 0, files: 0 }), pods: () => all }),
    [],
  );
});

test('files are counted, empty ones too', async () => {
  const pod = limited('sower');
  const field = join(podDirectory(context, uidOf(pod)), 'volumes', 'kubernetes.io~empty-dir', 'field');
  mkdirSync(field, { recursive: true });
  for (let i = 0; i < 100; i += 1) writeFileSync(join(field, String(i)), '');
  const count = await fileCount(context, pod);
  assert.ok(count >= 100 && count < 120, String(count));
});
