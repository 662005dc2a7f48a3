import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalizeSpec } from './quantities.ts';

const cases: readonly [name: string, written: unknown, stored: unknown][] = [
  ['fractions of a CPU', '2.5', '2500m'],
  ['a number', 4, '4'],
  ['a number with a fraction', 0.5, '500m'],
  ['as many Mi as make a Gi', '1024Mi', '1Gi'],
  ['a fraction of a Gi', '1.5Gi', '1536Mi'],
  ['thousands', '2000', '2k'],
  ['canonical already', '64M', '64M'],
];

for (const [name, written, stored] of cases) {
  test(`a quantity is stored canonically: ${name}`, () => {
    const spec = { domain: { resources: { requests: { cpu: written } } } };
    canonicalizeSpec(spec, 'VirtualMachineInstance');
    assert.deepEqual(spec, { domain: { resources: { requests: { cpu: stored } } } });
  });
}

test('what only looks like a quantity stays', () => {
  const spec = {
    domain: { memory: { hugepages: { pageSize: '1024Mi' } }, firmware: { serial: '2000' } },
    readinessProbe: { tcpSocket: { port: 2000 } },
  };
  const before = structuredClone(spec);
  canonicalizeSpec(spec, 'VirtualMachineInstance');
  assert.deepEqual(spec, before);
});

test('templates and volumes of a machine are reached', () => {
  const spec = {
    dataVolumeTemplates: [{ spec: { storage: { resources: { requests: { storage: '2048Mi' } } } } }],
    template: { spec: { volumes: [{ name: 'e', emptyDisk: { capacity: '1024Ki' } }] } },
  };
  canonicalizeSpec(spec, 'VirtualMachine');
  assert.equal(spec.dataVolumeTemplates[0]?.spec.storage.resources.requests.storage, '2Gi');
  assert.equal(spec.template.spec.volumes[0]?.emptyDisk.capacity, '1Mi');
});
