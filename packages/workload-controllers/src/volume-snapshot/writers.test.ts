import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { podsToPause } from './writers.ts';

const pod = (namespace: string, name: string, owner?: Pod): Pod => ({
  metadata: {
    namespace,
    name,
    uid: `uid-of-${namespace}-${name}`,
    ...(owner === undefined
      ? {}
      : {
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'Pod',
              name: owner.metadata.name ?? '',
              uid: owner.metadata.uid ?? '',
            },
          ],
        }),
  },
  spec: { containers: [] },
});

test('a snapshot stops those that write to the volume, and no Pod of another namespace', () => {
  const [launcher, victim] = [pod('mine', 'launcher'), pod('theirs', 'launcher')];
  const known = new Map([launcher, victim].map((p) => [`${p.metadata.namespace}/${p.metadata.name}`, p]));
  const paused = (...writers: Pod[]): readonly string[] => podsToPause(writers, (key) => known.get(key));
  const holder = pod('mine', 'holder', launcher);
  assert.deepEqual(paused(launcher, holder), ['uid-of-mine-launcher', 'uid-of-mine-holder']);
  assert.deepEqual(paused(holder), ['uid-of-mine-holder', 'uid-of-mine-launcher']);
  assert.deepEqual(paused(pod('mine', 'forged', victim)), ['uid-of-mine-forged']);
});
