/** Networks that cannot be plugged in, with the real CNI plugins. Needs root. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createNetns, netnsPath, removeNetns } from '@podvisor/sys';
import { attach, detachAll } from './network/attachments.ts';
import { selectionsOf } from './network/multus.ts';
import { Harness } from './testing/harness.ts';

const [NODE, POD] = ['pvt24-node', 'pvt24-pod'];
const harness = new Harness(24, NODE);
before(async () => {
  await createNetns(NODE);
  await createNetns(POD);
});
after(() => {
  removeNetns(POD);
  removeNetns(NODE);
  rmSync(harness.home, { recursive: true, force: true });
});

test('a Pod whose words its network plugin never takes can be deleted', async () => {
  const { context } = harness;
  const pod = harness.pod('evil', {});
  const element = { name: 'lan', 'cni-args': { ips: ['no address'] } };
  const annotations = { 'k8s.v1.cni.cncf.io/networks': JSON.stringify([element]) };
  const [selection] = selectionsOf({ ...pod, metadata: { ...pod.metadata, annotations } });
  assert.ok(selection);
  const ipam = { type: 'host-local', subnet: '10.9.0.0/24' };
  const config = JSON.stringify({ cniVersion: '0.4.0', type: 'bridge', bridge: 'pvt24-lan', ipam });
  const client = { find: () => Promise.resolve({ metadata: {}, spec: { config } }), patch: assert.fail };
  const uid = pod.metadata.uid ?? '';
  const netns = netnsPath(POD);
  await assert.rejects(
    attach(
      { context, client: client as unknown as Parameters<typeof attach>[0]['client'], pod, netns },
      selection,
    ),
    /invalid IP address/,
  );
  await detachAll(context, uid, netns);
});
