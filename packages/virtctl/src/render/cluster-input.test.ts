import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient } from '@podvisor/kube';
import { readMachine } from './cluster-input.ts';

const vm = {
  metadata: { name: 'x', namespace: 'team' },
  spec: {
    template: {},
    instancetype: { name: 'small' },
    preference: { kind: 'VirtualMachinePreference', name: 'linux' },
  },
};
const stored: Readonly<Record<string, unknown>> = {
  'virtualmachines/team/x': vm,
  'virtualmachineinstances/team/x': { metadata: { name: 'x' }, spec: { domain: { devices: {} } } },
  'virtualmachineclusterinstancetypes//small': { metadata: { name: 'small' }, spec: { cpu: { guest: 1 } } },
  'virtualmachinepreferences/team/linux': { metadata: { name: 'linux' }, spec: {} },
};
const lists: Readonly<Record<string, readonly unknown[]>> = {
  kubevirts: [{ metadata: { name: 'kubevirt' }, spec: {} }],
  persistentvolumeclaims: [{ metadata: { name: 'data' }, spec: { volumeMode: 'Block' } }],
};
interface Named {
  readonly plural: string;
}
const client = {
  find: async ({ plural }: Named, key: { readonly namespace?: string; readonly name: string }) =>
    stored[`${plural}/${key.namespace ?? ''}/${key.name}`],
  list: async ({ plural }: Named) => ({ items: lists[plural] ?? [] }),
} as unknown as KubeClient;

test('a VM comes with what it refers to, and with the VMI that runs', async () => {
  const { input, running } = await readMachine(client, 'team', 'vm/x');
  assert.equal(input.subject.kind, 'vm');
  assert.equal(running?.metadata?.name, 'x');
  assert.deepEqual([...input.instancetypes.keys()], ['cluster/small']);
  assert.deepEqual([...input.preferences.keys()], ['namespaced/linux']);
  assert.deepEqual(input.claims, { data: { block: true, shared: false } });
  assert.equal(input.kubevirt?.metadata?.name, 'kubevirt');
});

test('vmi/x is the running one itself; what is not there is said', async () => {
  assert.equal((await readMachine(client, 'team', 'vmi/x')).input.subject.kind, 'vmi');
  await assert.rejects(
    readMachine(client, 'team', 'vm/y'),
    /there is no VirtualMachine "y" in namespace "team"/,
  );
  await assert.rejects(readMachine(client, 'team', 'vmi/y'), /there is no VirtualMachineInstance "y"/);
});
