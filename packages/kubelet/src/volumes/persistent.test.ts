import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { resources } from '@podvisor/kube';
import { Harness } from '../testing/harness.ts';
import { setUpPersistent } from './persistent.ts';

const harness = new Harness(17);
after(() => rmSync(harness.home, { recursive: true }));

test('a claim that names a volume gets it only when the volume names the claim', async () => {
  const path = join(harness.home, 'anothers');
  mkdirSync(path);
  const mine = { namespace: 'default', name: 'mine', uid: 'uid-of-mine' };
  harness.api.put(resources.persistentVolumeClaims, {
    metadata: { ...mine },
    spec: { volumeName: 'anothers' },
    status: { phase: 'Bound' },
  });
  const pod = harness.pod('thief', {});
  const references = [
    undefined,
    { ...mine, namespace: 'other' },
    { ...mine, name: 'other' },
    { ...mine, uid: 'uid-of-one-before' },
  ];
  for (const claimRef of references) {
    harness.api.put(resources.persistentVolumes, {
      metadata: { name: 'anothers' },
      spec: { local: { path }, ...(claimRef === undefined ? {} : { claimRef }) },
    });
    const volume = { name: 'v', persistentVolumeClaim: { claimName: 'mine' } };
    await assert.rejects(
      setUpPersistent(volume, {
        pod,
        kubelet: harness.context,
        client: harness.api.client,
        facts: { ips: [], hostIp: '', nodeName: 'node1', allocatable: { cpuMilli: 1000, memoryBytes: 1 } },
        image: () => Promise.reject(new Error('no images here')),
      }),
      /"anothers" is bound to another claim/,
    );
  }
});
