import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint, EndpointSlice, Service } from '@podvisor/api';
import { decodeMessage } from './decode.ts';
import { encodeMessage } from './encode.ts';
import { types } from './message.ts';
import { resolve } from './resolve.ts';
import { answerOf, type ZoneObjects } from './zone.ts';

const service = (name: string, spec: Service['spec']): Service => ({
  metadata: { namespace: 'ns', name },
  spec,
});
const endpoint = (ip: string, ready: boolean, hostname?: string): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname === undefined ? {} : { hostname }),
});
const services = [
  service('web', { clusterIP: '10.96.0.5', clusterIPs: ['10.96.0.5'], ports: [{ name: 'http', port: 80 }] }),
  service('db', { clusterIP: 'None', ports: [{ name: 'pg', port: 5432 }] }),
  service('out', { type: 'ExternalName', externalName: 'example.com' }),
];
const slice: EndpointSlice = {
  metadata: { namespace: 'ns', name: 'db-1' },
  addressType: 'IPv4',
  ports: [{ name: 'pg', port: 5432 }],
  endpoints: [
    endpoint('10.1.0.1', true, 'db-0'),
    endpoint('10.1.0.2', true),
    endpoint('10.1.0.3', false, 'db-2'),
  ],
};
const objects: ZoneObjects = {
  service: (namespace, name) => services.find((s) => namespace === 'ns' && s.metadata.name === name),
  slices: ({ metadata }) => (metadata.name === 'db' ? [slice] : []),
  hasNamespace: (name) => name === 'ns',
  podByAddress: (namespace, address) =>
    namespace === 'ns' && address === '10.1.0.9' ? { metadata: {}, spec: { containers: [] } } : undefined,
  servicesByAddress: (address) => services.find(({ spec }) => spec?.clusterIP === address),
  endpointByAddress: (address) => {
    const found = (slice.endpoints ?? []).find(({ addresses }) => addresses.includes(address));
    const [, db] = services;
    return found === undefined || db === undefined ? undefined : { service: db, endpoint: found };
  },
};

function shown(name: string, type: number): string {
  const answer = answerOf({ name, type, class: 1 }, objects);
  if (answer.kind === 'alias') return `alias ${answer.target}`;
  if (answer.kind !== 'records') return answer.kind;
  return answer.records
    .map(({ data }) => {
      if (data.kind === 'address4') return data.address;
      if (data.kind === 'name') return data.target;
      return data.kind === 'srv' ? `${data.target}:${data.port}` : data.kind;
    })
    .join(' ');
}

const cases: readonly [string, string, number, string][] = [
  ['the address of a Service', 'web.ns.svc.cluster.local', types.A, '10.96.0.5'],
  ['no IPv6: the name exists all the same', 'web.ns.svc.cluster.local', types.AAAA, ''],
  ['an unknown Service', 'nope.ns.svc.cluster.local', types.A, 'no-such-name'],
  ['an unknown namespace', 'web.other.svc.cluster.local', types.A, 'no-such-name'],
  ['a name below a Service with an address', 'a.web.ns.svc.cluster.local', types.A, 'no-such-name'],
  ['the Pods of a headless Service that are ready', 'db.ns.svc.cluster.local', types.A, '10.1.0.1 10.1.0.2'],
  ['a Pod by its hostname', 'db-0.db.ns.svc.cluster.local', types.A, '10.1.0.1'],
  ['a Pod by its address', '10-1-0-2.db.ns.svc.cluster.local', types.A, '10.1.0.2'],
  ['a Pod that is not ready', 'db-2.db.ns.svc.cluster.local', types.A, 'no-such-name'],
  ['a port', '_http._tcp.web.ns.svc.cluster.local', types.SRV, 'web.ns.svc.cluster.local:80'],
  ['the wrong protocol', '_http._udp.web.ns.svc.cluster.local', types.SRV, 'no-such-name'],
  [
    'ports of Pods',
    '_pg._tcp.db.ns.svc.cluster.local',
    types.SRV,
    'db-0.db.ns.svc.cluster.local:5432 10-1-0-2.db.ns.svc.cluster.local:5432',
  ],
  ['an alias', 'out.ns.svc.cluster.local', types.A, 'alias example.com'],
  ['a Pod', '10-1-0-9.ns.pod.cluster.local', types.A, '10.1.0.9'],
  ['a Pod that is not', '10-1-0-8.ns.pod.cluster.local', types.A, 'no-such-name'],
  ['back from a Service address', '5.0.96.10.in-addr.arpa', types.PTR, 'web.ns.svc.cluster.local'],
  ['back from a headless Pod', '1.0.1.10.in-addr.arpa', types.PTR, 'db-0.db.ns.svc.cluster.local'],
  ['back from elsewhere', '8.8.8.8.in-addr.arpa', types.PTR, 'elsewhere'],
  ['the world', 'example.com', types.A, 'elsewhere'],
  ['the zone itself', 'cluster.local', types.A, ''],
];

for (const [name, asked, type, expected] of cases)
  test(name, () => assert.equal(shown(asked, type), expected));

test('what nobody answers is a failure, what is no query gets no answer', async () => {
  const forwarder = { ask: () => Promise.resolve(undefined) };
  const query = encodeMessage({
    id: 7,
    isResponse: false,
    opcode: 0,
    authoritative: false,
    truncated: false,
    recursionDesired: true,
    recursionAvailable: false,
    code: 0,
    questions: [{ name: 'example.com', type: types.A, class: 1 }],
    answers: [],
    authorities: [],
    additionals: [],
  });
  const answer = await resolve(query, 'udp', { objects, forwarder });
  assert.ok(answer !== undefined);
  const { id, code, isResponse } = decodeMessage(answer);
  assert.deepEqual({ id, code, isResponse }, { id: 7, code: 2, isResponse: true });
  assert.equal(await resolve(answer, 'udp', { objects, forwarder }), undefined);
  assert.equal(await resolve(new Uint8Array(3), 'udp', { objects, forwarder }), undefined);
});
