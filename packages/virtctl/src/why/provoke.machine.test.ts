/**
 * Failures provoked for real, on the running cluster of $PODVISOR_TEST_KUBECONFIG (one VM at a time, in its
 * default namespace). Those that need a second VM, a dead node or a dead component are only tried with recorded objects.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KubeClient, resources } from '@podvisor/kube';
import type { VirtualMachine } from '@podvisor/api';
import { fromYaml } from '../output/yaml.ts';
import { gather } from './gather.ts';
import { reportOf } from './report.ts';

const kubeconfig = process.env['PODVISOR_TEST_KUBECONFIG'];
const example = join(import.meta.dirname, '../../../../examples/hello.yaml');
const name = 'why-me';
const key = { namespace: 'default', name };

/** Known failure, and how the text of the example is spoilt. */
const SPOILT: readonly (readonly [id: string, spoil: (manifest: string) => string])[] = [
  ['not-enough-memory', (text) => text.replace('guest: 192Mi', 'guest: 900Gi')],
  ['image-missing', (text) => text.replace('podvisor.local/hello:1', 'podvisor.local/no-such-image:1')],
  [
    'image-not-a-disk',
    (text) => text.replace('podvisor.local/hello:1', 'podvisor.local/virt-launcher:embedded'),
  ],
  [
    'pvc-missing',
    (text) =>
      text.replace(/containerDisk:\n.*\n\s*image: \S+/, 'persistentVolumeClaim: {claimName: no-such-claim}'),
  ],
  ['bad-cloud-init', (text) => text.replace('hostname: hello', 'hostname: [a: b: c')],
  [
    'libvirt-refuses-xml',
    (text) => text.replace('        cpu:', '        machine: {type: pc-q35-99.9}\n        cpu:'),
  ],
  ['no-node-fits', (text) => text.replace('cores: 1', 'cores: 1\n          model: NoSuchModel')],
  [
    'network-phase-1-failed',
    (text) =>
      text
        .replace('masquerade: {}', 'masquerade: {}\n            - name: other\n              bridge: {}')
        .replace(
          '          pod: {}',
          '          pod: {}\n        - name: other\n          multus: {networkName: no-such-network}',
        ),
  ],
];

if (kubeconfig === undefined)
  test('provoked failures', { skip: 'PODVISOR_TEST_KUBECONFIG is not set' }, () => undefined);
else run(KubeClient.fromKubeconfig(kubeconfig, 'why-test'));

function run(client: KubeClient): void {
  const remove = async (): Promise<void> => {
    await client.delete(resources.virtualMachines, key).catch(() => undefined);
    while ((await client.find(resources.virtualMachineInstances, key)) !== undefined) await pause();
  };
  after(async () => {
    await remove();
    await client.close();
  });
  for (const [id, spoil] of SPOILT)
    test(`${id} is recognised on a real cluster`, { timeout: 60_000 }, async () => {
      await remove();
      const before = readFileSync(example, 'utf8');
      const spoilt = spoil(before);
      assert.notEqual(spoilt, before, 'the example no longer has what was to be spoilt');
      const vm = fromYaml(spoilt.replaceAll(/name: hello$/gm, `name: ${name}`)) as VirtualMachine;
      await client.create(resources.virtualMachines, { ...vm, metadata: key });
      for (let found = ''; found !== id; await pause()) {
        found = reportOf(await gather(client, key.namespace, name, Date.now())).diagnoses[0]?.id ?? '';
      }
    });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}
