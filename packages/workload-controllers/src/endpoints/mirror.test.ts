import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoints, Service } from '@podvisor/api';
import { wantedMirrors } from './mirror.ts';

const service = (spec: Service['spec'] = {}): Service => ({
  metadata: { namespace: 'ns', name: 'db', uid: 's' },
  spec: { clusterIP: 'None', ...spec },
});
const endpoints = (metadata: Endpoints['metadata'] = {}): Endpoints => ({
  metadata: { namespace: 'ns', name: 'db', uid: 'e', labels: { team: 'a' }, ...metadata },
  subsets: [
    {
      addresses: [{ ip: '192.0.2.1', hostname: 'one' }, { ip: '2001:db8::1' }],
      notReadyAddresses: [{ ip: '192.0.2.2' }],
      ports: [{ port: 5432 }],
    },
    { addresses: [{ ip: '192.0.2.3' }], ports: [{ name: 'admin', port: 80, protocol: 'TCP' }] },
  ],
});

test('each subset and address family of Endpoints by hand has its slice', () => {
  const slices = wantedMirrors(service(), endpoints());
  assert.deepEqual(
    slices.map(({ addressType, endpoints: list, ports }) => [
      addressType,
      list?.map(({ addresses: [ip], conditions, hostname }) => [ip, conditions?.ready, hostname ?? '']),
      ports,
    ]),
    [
      [
        'IPv4',
        [
          ['192.0.2.1', true, 'one'],
          ['192.0.2.2', false, ''],
        ],
        [{ name: '', port: 5432, protocol: 'TCP' }],
      ],
      ['IPv6', [['2001:db8::1', true, '']], [{ name: '', port: 5432, protocol: 'TCP' }]],
      ['IPv4', [['192.0.2.3', true, '']], [{ name: 'admin', port: 80, protocol: 'TCP' }]],
    ],
  );
  const [first] = slices;
  assert.deepEqual(first?.metadata.labels, {
    team: 'a',
    'kubernetes.io/service-name': 'db',
    'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
  });
  assert.deepEqual(
    first?.metadata.ownerReferences?.map(({ kind, uid }) => [kind, uid]),
    [['Endpoints', 'e']],
  );
  assert.equal(new Set(slices.map(({ metadata }) => metadata.name)).size, 3);
});

test('Services with a selector, locks, and those who ask not to be, are not mirrored', () => {
  assert.deepEqual(wantedMirrors(service({ selector: { app: 'db' } }), endpoints()), []);
  assert.deepEqual(wantedMirrors(service(), undefined), []);
  const skip = { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } };
  assert.deepEqual(wantedMirrors(service(), endpoints(skip)), []);
  const lock = { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } };
  assert.deepEqual(wantedMirrors(service(), endpoints(lock)), []);
});
