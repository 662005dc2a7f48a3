import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../config/cluster-config.ts';
import type { VirtualMachine, VMISpec, VMSpec } from '../types/index.ts';
import type { Admission } from './admission.ts';
import { validateVmCreate, validateVmStatus, validateVmUpdate } from './validate-vm.ts';

const config = clusterConfig();

function vmOf(
  spec: Partial<VMSpec> = {},
  template: Partial<VMISpec> = {},
  rest: object = {},
): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm', namespace: 'default' },
    spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} }, ...template } }, ...spec },
    ...rest,
  };
}
const fields = ({ causes }: Admission): string[] => causes.map(({ field }) => field);

test('labels that our components use are refused in a template too, unless they come from us', () => {
  const vm = vmOf();
  const labelled = {
    ...vm,
    spec: {
      ...vm.spec,
      template: { ...vm.spec.template, metadata: { labels: { 'kubevirt.io/nodeName': 'n' } } },
    },
  };
  assert.deepEqual(fields(validateVmCreate(labelled, { config })), ['spec.template.metadata.labels']);
  assert.ok(validateVmCreate(labelled, { config, isKubeVirtServiceAccount: true }).allowed);
});

test('running and runStrategy are looked at one by one', () => {
  const both = vmOf({ running: true, runStrategy: 'Sometimes' as never });
  assert.deepEqual(fields(validateVmCreate(both, { config })), ['spec.running', 'spec.runStrategy']);
  const none = vmOf({ runStrategy: undefined });
  assert.deepEqual(fields(validateVmCreate(none, { config })), ['spec.running']);
});

test('who is refused by a step hears nothing of those after it', () => {
  const dataVolumeTemplates = [
    { metadata: { name: 'dv', namespace: 'other' }, spec: { pvc: {}, source: { blank: {} } } },
  ];
  const volumes = [{ name: 'd', dataVolume: { name: 'dv' } }];
  const spec = { dataVolumeTemplates } as Partial<VMSpec>;
  assert.deepEqual(fields(validateVmCreate(vmOf(spec, { volumes }), { config })), [
    'spec.dataVolumeTemplates[0]',
  ]);
  const worse = vmOf(spec, { volumes, hostname: 'Not a name' });
  assert.deepEqual(fields(validateVmCreate(worse, { config })), ['spec.template.spec.hostname']);
});

test('a VM that is going away may be changed', () => {
  const metadata = { name: 'vm', namespace: 'default', deletionTimestamp: '2026-01-01T00:00:00Z' };
  const broken = vmOf({}, { hostname: 'Not a name' }, { metadata });
  assert.ok(validateVmUpdate(broken, vmOf(), { config }).allowed);
});

test('requests to plug are judged by what they would make of the specs', () => {
  const disk = { name: 'd', disk: { bus: 'scsi' } };
  const add = { name: 'd', disk, volumeSource: { persistentVolumeClaim: { claimName: 'c' } } };
  const withRequests = (...volumeRequests: object[]): VirtualMachine =>
    vmOf({}, {}, { status: { volumeRequests } });
  const messageOf = (vm: VirtualMachine, vmi?: object): string =>
    validateVmStatus(vm, { config, vmi: vmi as never }).message;
  const once = withRequests({ addVolumeOptions: add });
  assert.equal(messageOf(once), '');
  assert.equal(
    messageOf(withRequests({ addVolumeOptions: add }, { addVolumeOptions: add })),
    'AddVolume request for [d] aleady exists',
  );
  const running = {
    spec: { domain: { devices: {} }, volumes: [{ name: 'd', emptyDisk: { capacity: '1Gi' } }] },
  };
  assert.match(messageOf(once, running), /of the same name on currently running vmi$/);
  const moving = {
    spec: { domain: { devices: {} } },
    status: { migrationState: { startTimestamp: '2026-01-01T00:00:00Z' } },
  };
  assert.match(messageOf(once, moving), /while VMI migration is in progress/);
  const bad = { ...add, name: 'Not_a_label', disk: { ...disk, name: 'Not_a_label' } };
  assert.deepEqual(fields(validateVmStatus(withRequests({ addVolumeOptions: bad }), { config })), [
    'spec.template.spec.domain.devices.disks.domain.devices.disks[0].name',
  ]);
});
