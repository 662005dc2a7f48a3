import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restrictedVmiLabels } from '@podvisor/api';
import { vmWith } from '../testing/objects.ts';
import { templateLabels } from './template-labels.ts';
import { buildVmi } from './vm/build-vmi.ts';

test('a template cannot give its VMI a label by which our components find VMIs', () => {
  const forged = Object.fromEntries(restrictedVmiLabels.map((key) => [key, 'node-1']));
  const vm = vmWith({});
  const template = { ...vm.spec.template, metadata: { labels: { ...forged, app: 'web' } } };
  assert.deepEqual(buildVmi(vm, template).metadata?.labels, { app: 'web' });
});

test('other labels are taken as they are', () => {
  const labels = { app: 'web' };
  assert.equal(templateLabels(labels), labels);
  assert.equal(templateLabels(undefined), undefined);
});
