import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMISpec } from '../types/index.ts';
import { requirementCauses } from './requirements.ts';
import { spreadProblem } from './topology.ts';

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
  assert.deepEqual(fields, ['spec.instancetype'], 'the first only');
});

test('a VM counts the vCPUs where its preference wants them', () => {
  const own = spec({ cpu: { sockets: 4, cores: 1, threads: 1 }, memory: { guest: '2Gi' } });
  assert.deepEqual(requirementCauses(own, needs(2), undefined), []);
  const [cause] = requirementCauses(own, needs(2, 'cores'), undefined);
  assert.equal(cause?.field, 'spec.template.spec.domain.cpu.cores');
  assert.deepEqual(requirementCauses(own, needs(4, 'spread'), undefined), []);
});

test('vCPUs that may be anywhere, or are spread, are multiplied', () => {
  const own = spec({ cpu: { sockets: 2, cores: 2, threads: 1 }, memory: { guest: '2Gi' } });
  assert.deepEqual(requirementCauses(own, needs(4, 'preferAny'), undefined), []);
  const [any] = requirementCauses(own, needs(6, 'any'), undefined);
  assert.deepEqual(any, {
    reason: 'FieldValueNotFound',
    field: ['cores', 'sockets', 'threads'].map((part) => `spec.template.spec.domain.cpu.${part}`).join(', '),
    message:
      'insufficient CPU resources of 4 vCPU provided by VirtualMachine, preference requires 6 vCPU provided as cores, sockets and threads',
  });
  const [spread] = requirementCauses(own, needs(6, 'spread'), undefined);
  assert.match(spread?.message ?? '', /of 4 vCPU .* provided as SocketsCores$/);
  assert.equal(spread?.field, 'spec.template.spec.domain.cpu.sockets, spec.template.spec.domain.cpu.cores');
});

test('vCPUs that cannot be spread evenly are told with their ratio', () => {
  const problem = (vcpus: number, spreadOptions?: object) =>
    spreadProblem(vcpus, { cpu: { preferredCPUTopology: 'spread', spreadOptions } });
  assert.equal(problem(4), undefined);
  assert.match(problem(5) ?? '', /^5 vCPUs .*Ratio of 2 provided by the preference$/);
  assert.match(problem(5, { across: 'CoresThreads' }) ?? '', /number of threads per core 2$/);
  assert.match(problem(6, { across: 'SocketsCoresThreads' }) ?? '', /threads per core 2 and .*Ratio of 2$/);
});

test('the architecture must be the required one', () => {
  const arm = { ...spec({ cpu: { sockets: 2 }, memory: { guest: '1Gi' } }), architecture: 'arm64' };
  const [cause] = requirementCauses(arm, needs(2), undefined);
  assert.equal(cause?.field, 'spec.template.spec.architecture');
});
