import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  annotations,
  HIBERNATION_VOLUME_TYPE,
  hibernatedStateText,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { stateKeyOf } from './state-key.ts';

const ID = '0d8d1f7c-7a5e-4b9e-9d6e-0123456789ab';
const state = hibernatedStateText({ claimName: 'c', id: ID, isWhole: true });
const plain: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { uid: '1d8d1f7c-7a5e-4b9e-9d6e-0123456789ab', namespace: 'shop', name: 'till' },
  spec: { domain: { devices: {} } },
};
const sleeps: VirtualMachineInstance = {
  ...plain,
  spec: { ...plain.spec, utilityVolumes: [{ name: 'h', claimName: 'c', type: HIBERNATION_VOLUME_TYPE }] },
};
const wakes: VirtualMachineInstance = {
  ...plain,
  metadata: { ...plain.metadata, annotations: { [annotations.hibernatedState]: state } },
};
const { signal } = new AbortController();

async function asked(vmi: VirtualMachineInstance): Promise<readonly string[]> {
  const paths: string[] = [];
  const client = {
    async request<R>({ path }: { readonly path: string }): Promise<R> {
      paths.push(path);
      return { stateKey: 'a2V5' } as R;
    },
  };
  assert.deepEqual(await stateKeyOf(client, vmi, signal), paths.length === 0 ? {} : { stateKey: 'a2V5' });
  return paths;
}

test('virt-api is asked when a state is written or loaded, and not otherwise', async () => {
  const path = '/apis/subresources.kubevirt.io/v1/namespaces/shop/virtualmachineinstances/till/statekey';
  assert.deepEqual(await asked(sleeps), [path]);
  assert.deepEqual(await asked(wakes), [path]);
  assert.deepEqual(await asked(plain), []);
  // It has woken: whoever changes its spec while virt-api is away does not wait for a key that nobody uses.
  assert.deepEqual(await asked({ ...wakes, status: { hibernation: { phase: 'Woken' } } }), []);
  // It woke, and sleeps again.
  const again = { ...wakes, spec: sleeps.spec, status: { hibernation: { phase: 'Woken' } } };
  assert.deepEqual(await asked(again), [path]);
});

test('without an answer no state is written: not even by a virt-api that does not know the question', async () => {
  const client = {
    request: () => Promise.reject(new StatusError('NotFound', 'the server could not find the resource')),
  };
  await assert.rejects(stateKeyOf(client, sleeps, signal), /could not find/);
});
