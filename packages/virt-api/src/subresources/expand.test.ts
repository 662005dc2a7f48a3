import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type KubernetesObject } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { expandBody, expandStored } from './expand.ts';

const signal = new AbortController().signal;
const instancetype = { spec: { cpu: { guest: 2 }, memory: { guest: '1Gi' } } };
const preference = { spec: { devices: { preferredDiskBus: 'virtio', preferredInterfaceModel: 'e1000e' } } };

const vm = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm' },
  spec: {
    instancetype: { name: 'i' },
    preference: { name: 'p' },
    template: {
      spec: { domain: { devices: {} }, volumes: [{ name: 'root', containerDisk: { image: 'i:1' } }] },
    },
  },
  status: { instancetypeRef: { name: 'i' }, created: true },
};

function io(stored?: object) {
  const objects: Readonly<Record<string, unknown>> = {
    VirtualMachineClusterInstancetype: instancetype,
    VirtualMachineClusterPreference: preference,
    VirtualMachine: stored,
  };
  const client = {
    find: async <T extends KubernetesObject>({ kind }: { readonly kind: string }) =>
      objects[kind] as T | undefined,
  };
  return { client, config: clusterConfig() };
}

async function refusal(attempt: Promise<unknown>): Promise<readonly [number, string]> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof StatusError);
  return [error.code, error.message];
}

test('preferences reach the disks and interfaces that a VM is completed with', async () => {
  const { body } = await expandStored('ns', 'vm', io(vm), signal);
  const { spec, status } = JSON.parse(String(body)) as typeof vm;
  const { devices } = spec.template.spec.domain as { devices: Record<string, unknown> };
  assert.deepEqual(devices.disks, [{ name: 'root', disk: { bus: 'virtio' } }]);
  assert.deepEqual(devices.interfaces, [{ name: 'default', bridge: {}, model: 'e1000e' }]);
  assert.deepEqual([spec.instancetype, spec.preference], [undefined, undefined]);
  assert.deepEqual(status, { created: true });
});

test('a VM without matchers comes back as it is, also an empty one', async () => {
  for (const stored of [{ ...vm, spec: { template: vm.spec.template } }, {}]) {
    const { body } = await expandStored('ns', 'vm', io(stored), signal);
    assert.deepEqual(JSON.parse(String(body)), stored);
  }
});

test('a VM of the body is answered with the namespace of the path', async () => {
  const { body } = await expandBody('ns', vm, io(), signal);
  assert.deepEqual((JSON.parse(String(body)) as typeof vm).metadata, { name: 'vm', namespace: 'ns' });
});

test('a VM that cannot be read is told as by every other subresource', async () => {
  const client = { find: () => Promise.reject(new Error('no answer')) };
  assert.deepEqual(await refusal(expandStored('ns', 'vm', { client, config: clusterConfig() }, signal)), [
    500,
    'Internal error occurred: unable to retrieve vm [vm]: no answer',
  ]);
});

const bodies: readonly [string, string, unknown, RegExp][] = [
  ['nothing', 'ns', undefined, /^empty request body$/],
  ['something else', 'ns', { stringField: 'test' }, /^Object is not a valid VirtualMachine$/],
  ['no namespace', '', vm, /^The request namespace must not be empty$/],
  [
    'another namespace',
    'ns',
    { ...vm, metadata: { namespace: 'other' } },
    /^VM namespace must be empty or ns$/,
  ],
];

for (const [name, namespace, body, message] of bodies) {
  test(`expand-vm-spec refuses ${name}`, async () => {
    const [code, text] = await refusal(expandBody(namespace, body, io(), signal));
    assert.equal(code, 400);
    assert.match(text, message);
  });
}

test('a VM that is not there is not found', async () => {
  assert.deepEqual(await refusal(expandStored('ns', 'vm', io(), signal)), [
    404,
    'virtualmachine.kubevirt.io "vm" not found',
  ]);
});

test('quantities come back as a server writes them, and values that Kubernetes does not know not at all', async () => {
  const template = (spec: object): object => ({ spec: { domain: { devices: {} }, ...spec } });
  const asked = (spec: object): object => ({ ...vm, spec: { template: template(spec) } });
  const requests = { cpu: '2.5', memory: 1024 };
  const { body } = await expandBody(
    'ns',
    asked({ domain: { devices: {}, resources: { requests } } }),
    io(),
    signal,
  );
  assert.deepEqual(JSON.parse(String(body)).spec.template.spec.domain.resources.requests, {
    cpu: '2500m',
    memory: '1024',
  });
  assert.deepEqual(await refusal(expandBody('ns', asked({ dnsPolicy: 'bogus' }), io(), signal)), [
    400,
    'Object is not a valid VirtualMachine',
  ]);
});
