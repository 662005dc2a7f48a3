import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMISpec } from '../types/index.ts';
import { requirementCauses } from './requirements.ts';

const spec = (domain: object): VMISpec => ({ domain: { devices: {}, ...domain }, architecture: 'amd64' });
const needs = (cpu: number, topology = 'sockets') => ({
  cpu: { preferredCPUTopology: topology },
  requirements: { cpu: { guest: cpu }, memory: { guest: '1Gi' }, architecture: 'amd64' },
});

test('an instance type that suffices raises nothing', () => {
  const instancetype = { cpu: { guest: 2 }, memory: { guest: '1Gi' } };
  assert.deepEqual(requirementCauses(spec({}), needs(2), instancetype), []);
});

test('an instance type that is too small is blamed', () => {
  const instancetype = { cpu: { guest: 1 }, memory: { guest: '512Mi' } };
  const fields = requirementCauses(spec({}), needs(2), instancetype).map((cause) => cause.field);
  assert.deepEqual(fields, ['spec.instancetype', 'spec.instancetype']);
});

test('a VM counts the vCPUs where its preference wants them', () => {
  const own = spec({ cpu: { sockets: 4, cores: 1, threads: 1 }, memory: { guest: '2Gi' } });
  assert.deepEqual(requirementCauses(own, needs(2), undefined), []);
  const [cause] = requirementCauses(own, needs(2, 'cores'), undefined);
  assert.equal(cause?.field, 'spec.template.spec.domain.cpu.cores');
  assert.deepEqual(requirementCauses(own, needs(4, 'spread'), undefined), []);
});

test('the architecture must be the required one', () => {
  const arm = { ...spec({ cpu: { sockets: 2 }, memory: { guest: '1Gi' } }), architecture: 'arm64' };
  const [cause] = requirementCauses(arm, needs(2), undefined);
  assert.equal(cause?.field, 'spec.template.spec.architecture');
});
