import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, emptyForm, fieldOf, formOf, type NewVm, vmOf } from './new-vm.ts';

const FORMS: readonly Partial<NewVm>[] = [
  {},
  { disk: 'url', from: 'https://images.example/debian.qcow2', diskSize: '20Gi' },
  { disk: 'url', from: 'docker://quay.io/x/y:1' },
  { disk: 'claim', from: 'data', network: 'bridge' },
  { instancetype: 'u1.small', preference: 'debian', network: 'blue' },
  { sshKey: 'ssh-ed25519 AAAA "me"' },
  { sshKey: 'ssh-rsa B', userData: '#cloud-config\npackages: [qemu-guest-agent]' },
  { userData: '#!/bin/sh\necho hi', network: '' },
];

test('the form is what its object says, whichever was typed', () => {
  for (const one of FORMS) {
    const form = { ...emptyForm, name: 'web', ...one };
    const vm = vmOf(form);
    const back = formOf(vm);
    assert.deepEqual(vmOf(back), vm, JSON.stringify(one));
    if (one.sshKey === undefined || one.userData === undefined)
      assert.deepEqual(back, form, JSON.stringify(one));
  }
});

test('what was typed into the object and has no field stays when a field is changed', () => {
  const before = { ...emptyForm, name: 'web' };
  const typed = JSON.parse(JSON.stringify(vmOf(before))) as {
    spec: { template: { spec: Record<string, unknown> } };
  };
  typed.spec.template.spec['terminationGracePeriodSeconds'] = 5;
  const after = { ...before, memory: '1Gi' };
  const object = changed(typed, before, after) as typeof typed;
  assert.equal(object.spec.template.spec['terminationGracePeriodSeconds'], 5);
  assert.equal(formOf(object).memory, '1Gi');
});

test('a size gives way to an instance type, and comes back with it gone', () => {
  const before = { ...emptyForm, name: 'web' };
  const typed = { ...before, instancetype: 'u1.small' };
  const object = changed(vmOf(before), before, typed);
  assert.doesNotMatch(JSON.stringify(object), /"cpu"|"guest"/);
  assert.deepEqual(changed(object, typed, before), vmOf(before));
});

test('nonsense is a form too, and no error', () => {
  for (const object of [
    undefined,
    null,
    7,
    [],
    { spec: [] },
    { spec: { template: { spec: { volumes: {} } } } },
  ])
    assert.equal(formOf(object).name, '');
});

test('words of admission belong to the field they are about', () => {
  assert.equal(fieldOf('spec.template.spec.domain.memory.guest'), 'memory');
  assert.equal(fieldOf('spec.template.spec.domain.resources.requests.memory'), 'memory');
  assert.equal(fieldOf('spec.template.spec.domain.cpu.cores'), 'cores');
  assert.equal(fieldOf('spec.instancetype'), 'instancetype');
  assert.equal(fieldOf('spec.template.spec.volumes[1].cloudInitNoCloud'), 'userData');
  assert.equal(fieldOf('spec.template.spec.volumes[0].name'), 'from');
  assert.equal(fieldOf('metadata.name'), 'name');
  assert.equal(fieldOf('spec.runStrategy'), undefined);
});
