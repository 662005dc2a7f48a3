import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCa, type KubeClient } from '@podvisor/kube';
import { certificatesIn, clusterFacts } from './cluster-facts.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test('each certificate of a bundle with its days; what is none is left out', () => {
  const { certificate } = createCa({ commonName: 'kubevirt.io', now: NOW });
  const found = certificatesIn(`${certificate}\nwords\n${certificate}`, 'hook', NOW);
  assert.equal(found.length, 2);
  assert.match(found[0]?.name ?? '', /^kubevirt\.io.*\(hook\)$/);
  assert.ok((found[0]?.days ?? 0) > 300);
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
  assert.deepEqual(certificatesIn(broken, 'hook', NOW), []);
});

test('a part that cannot be had says why, and the others are told', async () => {
  const client = {
    request: async () => {
      throw new Error('you may not');
    },
  } as unknown as KubeClient;
  const home = {
    doctor: async () => [{ level: 'PASS', what: 'root', found: 'yes' } as const],
    alerts: async () => undefined,
  };
  assert.deepEqual(await clusterFacts({ client, now: () => NOW, home }), {
    certificates: [],
    doctor: [{ level: 'PASS', what: 'root', found: 'yes' }],
    problems: ['certificates: you may not'],
  });
});
