import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variablesOf } from '../kubelet/container/service-environment.ts';
import { serviceRange } from './service-range.ts';

test('the range lies in the Pod range of the instance, away from the nodes', () => {
  assert.deepEqual(serviceRange({ podCidr: '10.244.0.0/16' }), {
    family: 4,
    cidr: '10.244.96.0/20',
    apiServer: '10.244.96.1',
    dns: '10.244.96.10',
  });
});

test('variables of a Service, in both forms', () => {
  const service = {
    metadata: { name: 'my-web' },
    spec: {
      clusterIP: '10.96.0.5',
      ports: [
        { name: 'http', port: 80 },
        { name: 'dns', port: 53, protocol: 'UDP' as const },
      ],
    },
  };
  const all = variablesOf(service);
  for (const line of [
    'MY_WEB_SERVICE_HOST=10.96.0.5',
    'MY_WEB_SERVICE_PORT=80',
    'MY_WEB_SERVICE_PORT_DNS=53',
    'MY_WEB_PORT=tcp://10.96.0.5:80',
    'MY_WEB_PORT_53_UDP=udp://10.96.0.5:53',
    'MY_WEB_PORT_80_TCP_ADDR=10.96.0.5',
  ])
    assert.ok(all.includes(line), line);
  assert.deepEqual(variablesOf({ ...service, spec: { ...service.spec, clusterIP: 'None' } }), []);
});
