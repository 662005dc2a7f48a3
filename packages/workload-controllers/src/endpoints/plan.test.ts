import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from '@podvisor/api';
import { podIn } from '../testing/pods.ts';
import { type EndpointsObservation, planEndpoints } from './plan.ts';

const service: Service = {
  metadata: { namespace: 'ns', name: 'web', uid: 's' },
  spec: { clusterIP: '10.96.0.5', selector: { app: 'web' }, ports: [{ port: 80 }] },
};
const fresh: EndpointsObservation = {
  service,
  slices: [],
  endpoints: undefined,
  selected: [podIn('ready')],
};
const told = (observed: EndpointsObservation): string => {
  const { slices, endpoints } = planEndpoints(observed);
  return `+${slices.create.length} ~${slices.update.length} -${slices.delete.length} ${endpoints.kind}`;
};
const first = planEndpoints(fresh);
assert.ok(first.endpoints.kind === 'create');
const made: EndpointsObservation = {
  ...fresh,
  slices: first.slices.create,
  endpoints: first.endpoints.object,
};

const CASES: readonly [string, EndpointsObservation, string][] = [
  ['is new', fresh, '+1 ~0 -0 create'],
  ['has what it needs', made, '+0 ~0 -0 none'],
  ['has lost its Pod', { ...made, selected: [] }, '+1 ~0 -1 update'],
  ['is gone', { ...made, service: undefined }, '+0 ~0 -1 delete'],
  [
    'is being deleted',
    {
      ...made,
      selected: [],
      service: { ...service, metadata: { ...service.metadata, deletionTimestamp: 'now' } },
    },
    '+0 ~0 -0 none',
  ],
  [
    'selects nothing: its Endpoints are whose who made them, and are mirrored',
    {
      ...fresh,
      service: { ...service, spec: { ports: [{ port: 80 }] } },
      endpoints: made.endpoints,
      selected: [],
    },
    '+1 ~0 -0 none',
  ],
];

for (const [name, observed, expected] of CASES)
  test(`a Service that ${name}`, () => assert.equal(told(observed), expected));
