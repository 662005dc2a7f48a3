import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMSpec } from '@podvisor/api';
import { vmiWith, vmWith } from '../../testing/objects.ts';
import { generationPatch, generations, mayDifferFromStart } from './generations.ts';

const started = vmWith().spec;
const vmi = (generation?: string, revision = '1') =>
  vmiWith(
    { phase: 'Running', virtualMachineRevisionName: `revision-start-vm-uid-${revision}` },
    {
      metadata: { annotations: generation === undefined ? {} : { 'kubevirt.io/vm-generation': generation } },
    },
  );
const vm = (generation: number, spec: Partial<VMSpec> = {}) => {
  const made = vmWith(spec);
  return { ...made, metadata: { ...made.metadata, generation } };
};
const labelled = { template: { ...started.template, metadata: { labels: { color: 'red' } } } };

test('a change beside the template is observed, and the VMI says so', () => {
  const observed = { vm: vm(2, { runStrategy: 'Manual' }), vmi: vmi('1'), startedFrom: started };
  assert.deepEqual(generations(observed), { observedGeneration: 2, desiredGeneration: 2 });
  const path = '/metadata/annotations/kubevirt.io~1vm-generation';
  assert.deepEqual(generationPatch(observed), [
    { op: 'test', path, value: '1' },
    { op: 'add', path, value: '2' },
  ]);
});

test('a label of the template is not observed before the next start, and earlier observations stay', () => {
  const observed = { vm: vm(3, labelled), vmi: vmi('2'), startedFrom: started };
  assert.deepEqual(generations(observed), { observedGeneration: 2, desiredGeneration: 3 });
  assert.deepEqual(generationPatch(observed), []);
});

test('without the annotation the start revision says the generation, without either nothing is said', () => {
  const observed = { vm: vm(3, labelled), vmi: vmi(), startedFrom: started };
  assert.equal(generations(observed).observedGeneration, 1);
  assert.deepEqual(generationPatch(observed).at(-1), {
    op: 'add',
    path: '/metadata/annotations/kubevirt.io~1vm-generation',
    value: '1',
  });
  const unknown = { vm: vm(3), vmi: vmi('x', 'y'), startedFrom: undefined };
  assert.deepEqual(generations(unknown), {});
});

test('the start is compared by its revision: a raised annotation hides no change', () => {
  assert.equal(mayDifferFromStart({ vm: vm(2), vmi: vmi('2') }), true);
  assert.equal(mayDifferFromStart({ vm: vm(1), vmi: vmi('1') }), false);
});
