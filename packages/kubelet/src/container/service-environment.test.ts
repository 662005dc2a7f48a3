import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variablesOf } from './service-environment.ts';

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
