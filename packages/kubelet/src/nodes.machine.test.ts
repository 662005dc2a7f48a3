/** A node in a network namespace of its own, as with several nodes on one machine. Needs root. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createNetns, listLinks, netnsPath, removeNetns, run, runInNetns } from '@podvisor/sys';
import { Harness } from './testing/harness.ts';

const NETNS = 'pvt13-node';
const harness = new Harness(13, NETNS);
before(async () => {
  await createNetns(NETNS);
  await harness.start();
});
after(async () => {
  await harness.close();
  removeNetns(NETNS);
});

test('Pods of such a node hang on a bridge inside it', async () => {
  harness.create(harness.pod('far', { command: ['/bin/sleep', '1000'] }));
  const pod = await harness.phase('far', 'Running');
  await runInNetns(netnsPath(NETNS), 'ping', ['-c', '1', '-W', '2', pod.status?.podIP ?? '']);
  assert.equal(
    (await listLinks()).some((link) => link.ifname === harness.config.bridge),
    false,
  );
  await harness.delete('far', 0);
});

test('hostNetwork means the network of the node, not of the machine', async () => {
  harness.create(
    harness.pod('host', { command: ['/bin/sh', '-c', 'ip -o link show'] }, { hostNetwork: true }),
  );
  const pod = await harness.phase('host', 'Succeeded');
  const reference = { namespace: 'default', name: 'host', uid: pod.metadata.uid ?? '', nodeName: 'node1' };
  const options = { follow: false, previous: false, timestamps: false };
  let text = '';
  for await (const chunk of harness.kubelet?.nodeProxy.logs(
    reference,
    'main',
    options,
    AbortSignal.timeout(5000),
  ) ?? []) {
    text += Buffer.from(chunk).toString('utf8');
  }
  assert.match(text, new RegExp(harness.config.bridge));
  const machine = (await run('ip', ['-o', 'link', 'show'])).stdout;
  assert.notEqual(text, machine);
  await harness.delete('host');
});
