import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointSlice, Pod, Service } from '@podvisor/api';
import { podIn, type PodState } from '../testing/pods.ts';
import { changesOf, sameEndpoints, targetPort, wantedEndpoints, wantedSlices } from './reconcile.ts';

const service = (spec: Service['spec'] = {}): Service => ({
  metadata: { namespace: 'ns', name: 'web', uid: 's' },
  spec: {
    clusterIP: '10.96.0.5',
    selector: { app: 'web' },
    ports: [{ port: 80, targetPort: 'http' }],
    ...spec,
  },
});
const pod = (state: PodState, ip: string, containerPort = 8080, spec: Partial<Pod['spec']> = {}): Pod => {
  const made = podIn(
    state,
    `p${ip}`,
    {},
    { containers: [{ name: 'c', ports: [{ name: 'http', containerPort }] }], ...spec },
  );
  return { ...made, status: { ...made.status, podIP: ip } };
};
const shown = (slices: readonly EndpointSlice[]): string[] =>
  slices.map(({ endpoints, ports }) => {
    const list = (endpoints ?? []).map(
      ({ addresses, conditions: c }) => `${addresses[0]}${c?.ready === true ? '' : '!'}`,
    );
    return `${list.join(' ')} @ ${(ports ?? []).map((p) => p.port).join(',')}`;
  });

test('ready Pods, and others marked so; finished ones not at all', () => {
  const pods = [
    pod('ready', '1.1.1.1'),
    pod('running', '1.1.1.2'),
    pod('failed', '1.1.1.3'),
    pod('terminating', '1.1.1.4'),
  ];
  assert.deepEqual(shown(wantedSlices(service(), pods)), ['1.1.1.1 1.1.1.2! 1.1.1.4! @ 8080']);
});

test('a Service may publish all', () => {
  assert.deepEqual(
    shown(wantedSlices(service({ publishNotReadyAddresses: true }), [pod('running', '1.1.1.2')])),
    ['1.1.1.2 @ 8080'],
  );
});

test('a named port may have another number in each Pod', () => {
  assert.equal(targetPort({ port: 80, targetPort: 'http' }, pod('ready', '1.1.1.1', 9090)), 9090);
  assert.equal(targetPort({ port: 80, targetPort: 'nope' }, pod('ready', '1.1.1.1')), undefined);
  assert.equal(targetPort({ port: 80, targetPort: 81 }, pod('ready', '1.1.1.1')), 81);
  const pods = [pod('ready', '1.1.1.1', 1), pod('ready', '1.1.1.2', 2)];
  assert.deepEqual(shown(wantedSlices(service(), pods)).toSorted(), ['1.1.1.1 @ 1', '1.1.1.2 @ 2']);
});

test('a hundred addresses to a slice', () => {
  const pods = Array.from({ length: 250 }, (_, i) => pod('ready', `1.1.${i >> 7}.${i & 127}`));
  assert.deepEqual(
    wantedSlices(service(), pods).map(({ endpoints }) => endpoints?.length),
    [100, 100, 50],
  );
});

test('a Pod has a hostname below the Service of its subdomain', () => {
  const named = pod('ready', '1.1.1.1', 80, { hostname: 'db-0', subdomain: 'web' });
  const [slice] = wantedSlices(service(), [
    named,
    pod('ready', '1.1.1.2', 80, { hostname: 'x', subdomain: 'other' }),
  ]);
  assert.deepEqual(
    slice?.endpoints?.map(({ hostname }) => hostname),
    ['db-0', undefined],
  );
});

test('nothing is written when nothing changed', () => {
  const wanted = wantedSlices(service(), [pod('ready', '1.1.1.1')]);
  assert.deepEqual(changesOf(wanted, wanted), { create: [], update: [], delete: [] });
  const later = wantedSlices(service(), [pod('running', '1.1.1.1')]);
  const { create, update, delete: remove } = changesOf(wanted, later);
  assert.deepEqual([create.length, update.length, remove.length], [0, 1, 0]);
});

test('Endpoints say the same', () => {
  const pods = [pod('ready', '1.1.1.1'), pod('running', '1.1.1.2')];
  const made = wantedEndpoints(service(), pods);
  const [subset] = made.subsets ?? [];
  assert.deepEqual(
    [subset?.addresses?.map(({ ip }) => ip), subset?.notReadyAddresses?.map(({ ip }) => ip)],
    [['1.1.1.1'], ['1.1.1.2']],
  );
  assert.deepEqual(subset?.ports, [{ port: 8080, protocol: 'TCP' }]);
  assert.ok(sameEndpoints(made, wantedEndpoints(service(), pods)));
});
