import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { KubeClient } from '@podvisor/kube';
import { startRecordingServer } from '../../testing/recording-server.ts';
import { imagesOf } from '../images/local-images.ts';
import { applyObject, fieldOf, parseManifest, readManifest } from './manifests.ts';

const VM = `# a comment
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: typo
spec:
  runStrategy: Always
  template:
    spec:
      domain:
        cpu:
          coers: 1
        memory: {guest: 192MB}
        devices:
          disks:
            - name: root
              disk: {bus: virtio}
            - name: second
              disks: {bus: virtio}
`;

function refusalOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'manifest-')), 'vm.yaml');
  writeFileSync(file, text);
  try {
    readManifest(file);
  } catch (error) {
    return (error as Error).message.replaceAll(file, 'vm.yaml');
  }
  return '';
}

test('every typo is told with line, column and what was meant', () => {
  assert.deepEqual(refusalOf(VM).split('\n'), [
    'vm.yaml:12:11: spec.template.spec.domain.cpu.coers is not a field of VirtualMachine; did you mean `cores`?',
    'vm.yaml:13:18: spec.template.spec.domain.memory.guest must be a quantity, not "192MB": write 192M or 192Mi',
    'vm.yaml:19:15: spec.template.spec.domain.devices.disks[1].disks is not a field of VirtualMachine; did you mean `disk`?',
  ]);
});

test('a value of the wrong type is told in words', () => {
  const text = VM.replace('coers: 1', 'cores: "1"')
    .replace('192MB', '192Mi')
    .replace('disks: {bus', 'disk: {bus');
  assert.equal(
    refusalOf(text),
    'vm.yaml:12:11: spec.template.spec.domain.cpu.cores must be a whole number, not text (in quotes, if it looks like a number)',
  );
});

test('a second document and the items of a List have their own places', () => {
  const second = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n${VM}`;
  assert.match(refusalOf(second), /^vm\.yaml:16:11: .*coers/);
  const list = `{"apiVersion":"v1","kind":"List","items":[\n{"apiVersion":"kubevirt.io/v1","kind":"VirtualMachine","metadata":{"name":"x"},\n "spec":{"runStrategi":"Always"}}]}`;
  assert.match(refusalOf(list), /^vm\.yaml:3:11: spec\.runStrategi .*`runStrategy`/);
});

test('what the server refuses is found in the file', () => {
  const [vm] = parseManifest(VM, 'vm.yaml');
  assert.ok(vm !== undefined);
  const typed = new Error(
    'failed to create typed patch object (default/x; v1, Kind=Pod): .spec.template.spec.domain.devices.disks[1].name: expected string',
  );
  assert.equal(vm.place(fieldOf(typed)), 'vm.yaml:18:15');
  const denied = new StatusError('Invalid', 'denied', {
    details: { causes: [{ field: 'spec.template.spec.domain.devices.disks[0].disk.bus', message: 'x' }] },
  });
  assert.equal(vm.place(fieldOf(denied)), 'vm.yaml:17:22');
});

test('the examples have no typos', () => {
  const examples = join(import.meta.dirname, '../../../../../examples');
  for (const name of readdirSync(examples).filter((one) => one.endsWith('.yaml')))
    assert.ok(readManifest(join(examples, name)).length > 0, name);
});

test('a file without an object is no manifest', () => {
  assert.equal(refusalOf('# nothing yet\n'), 'vm.yaml holds no object: is it the right file?');
});

test('objects without a spec need no images: what is missing is the word of the server', () => {
  const objects = ['VirtualMachine', 'VirtualMachineInstance', 'DataVolume'].flatMap((kind) =>
    parseManifest(`apiVersion: kubevirt.io/v1\nkind: ${kind}\nmetadata: {name: a}\n`, 'vm.yaml'),
  );
  assert.deepEqual([...imagesOf(objects.map(({ object }) => object))], []);
});

test('a kind or a version that the server does not have is told with its place and what was meant', async () => {
  const kinds = { resources: [{ name: 'virtualmachines', kind: 'VirtualMachine', namespaced: true }] };
  const server = await startRecordingServer(({ path }) =>
    path === '/apis/kubevirt.io/v1' ? kinds : undefined,
  );
  const config = join(mkdtempSync(join(tmpdir(), 'manifest-')), 'kubeconfig');
  const contexts = [{ name: 'c', context: { cluster: 'c' } }];
  const clusters = [{ name: 'c', cluster: { server: server.url } }];
  writeFileSync(config, JSON.stringify({ clusters, contexts, 'current-context': 'c' }));
  const client = KubeClient.fromKubeconfig(config, 'test');
  const refused = async (text: string): Promise<void> => {
    for (const object of parseManifest(text, 'vm.yaml')) await applyObject(client, object);
  };
  try {
    await assert.rejects(
      refused('apiVersion: kubevirt.io/v1\nkind: VirtualMachin\nmetadata: {name: a}\n'),
      /vm\.yaml:2:1: the server has no kind "VirtualMachin" in kubevirt\.io\/v1; did you mean `VirtualMachine`\?/,
    );
    await assert.rejects(
      refused('apiVersion: kubevirt.io/v2\nkind: VirtualMachine\nmetadata: {name: a}\n'),
      /vm\.yaml:1:1: the server has no "kubevirt\.io\/v2": kubectl api-versions/,
    );
  } finally {
    await client.close();
    server.close();
  }
});
