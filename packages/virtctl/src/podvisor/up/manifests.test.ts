import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { fieldOf, parseManifest, readManifest } from './manifests.ts';

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
