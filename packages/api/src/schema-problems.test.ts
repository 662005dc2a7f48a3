import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdFor } from './crds/crds.ts';
import { schemaProblems } from './schema-problems.ts';

const schema = crdFor('VirtualMachine').spec.versions[0]?.schema.openAPIV3Schema ?? {};

test('missing and unknown fields are named', () => {
  const vm = { spec: { template: { spec: { wrong: {} } } }, odd: 1 };
  assert.deepEqual(schemaProblems(vm, schema), [
    '.odd in body is a forbidden property',
    'spec.template.spec.wrong in body is a forbidden property',
    'spec.template.spec.domain in body is required',
  ]);
});

test('what the schema keeps whole is not looked into', () => {
  const vm = { spec: { template: { metadata: { anything: 1 }, spec: { domain: { devices: {} } } } } };
  assert.deepEqual(schemaProblems(vm, schema), []);
});

test('wrong types and broken quantities are named', () => {
  const domain = { devices: { disks: 'x' }, cpu: { cores: '2' }, memory: { guest: 'lots' } };
  const vm = { spec: { template: { spec: { domain, hostname: 5, evictionStrategy: null } } } };
  const problems = schemaProblems(vm, schema);
  assert.deepEqual(
    problems.map((problem) => problem.split(' in body ')[0]?.replace('spec.template.spec.', '')),
    ['domain.cpu.cores', 'domain.devices.disks', 'domain.memory.guest', 'hostname'],
  );
});

test('a spec that is absent is missed and checked as null; one that is null is only checked', () => {
  const wrongType = 'spec in body must be of type object: "null"';
  assert.deepEqual(schemaProblems({ odd: 1 }, schema), [
    '.odd in body is a forbidden property',
    'spec in body is required',
    wrongType,
  ]);
  assert.deepEqual(schemaProblems({ spec: null }, schema), [wrongType]);
});

test('a required field that is null is of the wrong type; unknown fields of a status are passed over', () => {
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: null } },
  };
  const vm = {
    spec: { template: { spec: { domain: { devices: {} }, affinity } } },
    status: { later: 1, printableStatus: 5 },
  };
  assert.deepEqual(schemaProblems(vm, schema), [
    'spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms in body must be of type array: "null"',
    'status.printableStatus in body must be of type string: "number"',
  ]);
});

test('a quantity in words of people is answered with what was meant', () => {
  const quantity = { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+([KMGTPE]i?)?$' };
  const [problem] = schemaProblems({ memory: '192MB' }, { properties: { memory: quantity } });
  assert.match(problem ?? '', /^memory in body should match .*: write 192M or 192Mi$/);
});
