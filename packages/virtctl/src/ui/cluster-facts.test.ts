import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
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
    isHome: true,
    certificates: [],
    doctor: [{ level: 'PASS', what: 'root', found: 'yes' }],
    unwatched: 'no Prometheus runs in this home; ./podvisor up --monitoring starts one',
    unseen: [],
    problems: ['certificates: you may not'],
  });
});

test('a cluster is asked with the rights of the user: what he may see is judged, the rest is named', async () => {
  const alerts = [
    {
      state: 'firing',
      labels: { alertname: 'Down', severity: 'critical' },
      annotations: { summary: 'gone' },
    },
    { state: 'pending', labels: { alertname: 'Later' } },
  ];
  const answers: Readonly<Record<string, unknown>> = {
    '/apis/kubevirt.io/v1/kubevirts': {
      items: [
        {
          metadata: { name: 'kubevirt', namespace: 'kv' },
          spec: { monitorNamespace: 'watch' },
          status: { phase: 'Deployed' },
        },
      ],
    },
    '/apis/apps/v1/namespaces/kv/deployments': {
      items: [
        { metadata: { name: 'virt-api' }, status: { readyReplicas: 1 } },
        { metadata: { name: 'other' }, status: {} },
      ],
    },
    '/api/v1/namespaces/watch/services?labelSelector=operated-prometheus%3Dtrue': {
      items: [{ metadata: { name: 'prometheus-operated' }, spec: { ports: [{ port: 9090 }] } }],
    },
    '/api/v1/namespaces/watch/services/prometheus-operated:9090/proxy/api/v1/alerts': { data: { alerts } },
  };
  const client = {
    request: async ({ path }: { readonly path: string }) => {
      if (answers[path] === undefined) throw new StatusError('Forbidden', `no ${path}`);
      return answers[path];
    },
  } as unknown as KubeClient;
  const facts = await clusterFacts({ client, now: () => NOW });
  assert.deepEqual(
    facts.doctor?.map(({ level, what }) => `${level} ${what}`),
    ['PASS installation', 'PASS virt-api'],
  );
  assert.deepEqual(facts.alerts, [{ name: 'Down', severity: 'critical', summary: 'gone' }]);
  assert.deepEqual(facts.unseen, [
    'API services',
    'DaemonSets of the installation',
    'certificates',
    'nodes',
    'storage classes',
  ]);
  assert.deepEqual(facts.problems, []);
});

test('a cluster without a Prometheus says so, and where it was looked for', async () => {
  const client = { request: async () => ({ items: [] }) } as unknown as KubeClient;
  const { alerts, unwatched, problems } = await clusterFacts({ client, now: () => NOW });
  assert.equal(alerts, undefined);
  assert.match(unwatched ?? '', /no Prometheus of its operator in namespace monitoring/);
  assert.deepEqual(problems, []);
});
