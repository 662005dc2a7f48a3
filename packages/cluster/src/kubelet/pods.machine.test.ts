/** Real Pods on this machine, without an API server. Needs root. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { run } from '@podvisor/sys';
import { Harness } from './testing/harness.ts';

const harness = new Harness(11);
before(async () => {
  await harness.start();
});
after(() => harness.close());

const NOTHING = { mounts: [], netns: [], cgroups: [], veths: [], pods: [], containers: [] };

test('a Pod runs, has an address, ends, and leaves nothing', async () => {
  const startedAt = performance.now();
  harness.create(harness.pod('one', { command: ['/bin/sleep', '1000'] }));
  const pod = await harness.phase('one', 'Running');
  console.log(`bound → running: ${Math.round(performance.now() - startedAt)} ms`);
  assert.match(pod.status?.podIP ?? '', /^10\.251\.11\./);
  await run('ping', ['-c', '1', '-W', '2', pod.status?.podIP ?? '']);
  const deletedAt = performance.now();
  await harness.delete('one', 0);
  console.log(`deleted → gone: ${Math.round(performance.now() - deletedAt)} ms`);
  assert.deepEqual(await harness.traces(), NOTHING);
});
