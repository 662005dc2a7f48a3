import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '@podvisor/kube';
import { FakeApi } from '../../testing/fake-api.ts';
import { vmWith } from '../../testing/objects.ts';
import { buildVmi } from './build-vmi.ts';
import { expandTemplate } from './expansion.ts';
import { matcherResource } from './instancetype.ts';

const signal = new AbortController().signal;
const cluster = matcherResource('instancetype', undefined);
assert.ok(cluster);

function apiWith(guest: string): FakeApi {
  const api = new FakeApi();
  assert.ok(cluster);
  api.put(cluster, { metadata: { name: 'small' }, spec: { cpu: { guest: 2 }, memory: { guest } } });
  return api;
}

const vm = vmWith({ instancetype: { name: 'small' } });

test('an instancetype is captured once and merged', async () => {
  const api = apiWith('64Mi');
  const result = await expandTemplate(vm, api, signal);
  assert.ok(result.kind === 'template');
  assert.equal(result.template.spec?.domain.memory?.guest, '64Mi');
  assert.equal(result.template.spec?.domain.cpu?.sockets, 2);
  const [revision] = api.all(resources.controllerRevisions);
  assert.equal(result.refs.instancetypeRef?.controllerRevisionRef?.name, revision?.metadata?.name);
  assert.match(revision?.metadata?.name ?? '', /^vm-small-v1beta1-/);
  const vmi = buildVmi(vm, result.template);
  assert.equal(vmi.metadata?.annotations?.['kubevirt.io/cluster-instancetype-name'], 'small');
  assert.equal(vmi.spec.domain.memory?.guest, '64Mi');
});

test('later edits do not reach a VM that has captured it', async () => {
  const api = apiWith('64Mi');
  const first = await expandTemplate(vm, api, signal);
  assert.ok(first.kind === 'template' && cluster);
  api.put(cluster, { metadata: { name: 'small' }, spec: { cpu: { guest: 8 }, memory: { guest: '1Gi' } } });
  const again = await expandTemplate({ ...vm, status: first.refs }, api, signal);
  assert.ok(again.kind === 'template');
  assert.equal(again.template.spec?.domain.memory?.guest, '64Mi');
  const other = await expandTemplate(
    { ...vmWith({ instancetype: { name: 'big' } }), status: first.refs },
    api,
    signal,
  );
  assert.deepEqual(other, {
    kind: 'problem',
    problem: {
      reason: 'FailedFindInstancetype',
      message: 'virtualmachineclusterinstancetypes.instancetype.kubevirt.io "big" not found',
    },
  });
});

test('a field that the instancetype owns is a conflict', async () => {
  const own = vmWith({
    instancetype: { name: 'small' },
    template: { spec: { domain: { devices: {}, cpu: { sockets: 4 } } } },
  });
  const result = await expandTemplate(own, apiWith('64Mi'), signal);
  assert.ok(result.kind === 'problem');
  assert.match(result.problem.message, /spec.template.spec.domain.cpu.sockets conflicts/);
});

test('a VM without matchers costs no request', async () => {
  const api = new FakeApi();
  api.find = () => Promise.reject(new Error('not needed'));
  const plain = vmWith();
  assert.deepEqual(await expandTemplate(plain, api, signal), {
    kind: 'template',
    template: plain.spec.template,
    refs: {},
  });
});

test('without capture the template keeps what was selected', async () => {
  const api = apiWith('64Mi');
  const result = await expandTemplate(vm, api, signal, false);
  assert.ok(result.kind === 'template' && result.replacesSpec === true);
  assert.deepEqual(result.refs, {});
  assert.equal(api.all(resources.controllerRevisions).length, 0);
});
