import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podIn } from '../testing/pods.ts';
import { quotaStatus } from './reconcile.ts';

test('what a namespace uses', () => {
  const resources = { requests: { cpu: '250m', memory: '64Mi' }, limits: { memory: '1Gi' } };
  const big = podIn(
    'running',
    'big',
    {},
    {
      containers: [
        { name: 'c', resources },
        { name: 'd', resources },
      ],
      initContainers: [{ name: 'i', resources: { requests: { cpu: '2' } } }],
    },
  );
  const hard = {
    pods: '9',
    'requests.cpu': '4',
    memory: '1Gi',
    'limits.memory': '4Gi',
    'services.nodeports': '1',
    'requests.storage': '5Gi',
    'count/deployments.apps': '2',
    'example.com/unknown': '1',
  };
  const { used } = quotaStatus(
    { metadata: {}, spec: { hard } },
    {
      pods: [big, podIn('succeeded')],
      services: [{ metadata: {}, spec: { type: 'NodePort', ports: [{ port: 1, nodePort: 30001 }] } }],
      claims: [{ metadata: {}, spec: { resources: { requests: { storage: '1Gi' } } } }],
      counts: (name) => (name === 'deployments.apps' ? 1 : undefined),
    },
  );
  assert.deepEqual(used, {
    pods: '1',
    'requests.cpu': '2',
    memory: '128Mi',
    'limits.memory': '2Gi',
    'services.nodeports': '1',
    'requests.storage': '1Gi',
    'count/deployments.apps': '1',
  });
});
