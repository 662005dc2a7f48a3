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
import { diskUsage } from './disk-usage.ts';
import { watchStorage } from './storage-watch.ts';

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

test('a Pod whose files cannot be counted keeps no other from being ended', async () => {
  const clock = new FakeClock();
  const [endless, greedy] = [limited('endless'), limited('greedy')];
  const evicted: string[] = [];
  const ending = new AbortController();
  watchStorage(
    {
      context: { ...context, clock },
      usageOf: (pod) =>
        pod === endless
          ? Promise.reject(new Error('du did not end within 30000 ms'))
          : Promise.resolve({ volumes: new Map(), containers: new Map([['main', 2 * MEBI]]), files: 0 }),
      pods: () => [endless, greedy],
      evict: (pod) => evicted.push(podName(pod)),
    },
    ending.signal,
  );
  clock.advance(5000);
  for (let i = 0; i < 10; i += 1) await turn();
  ending.abort();
  assert.deepEqual(evicted, [podName(greedy)]);
});
