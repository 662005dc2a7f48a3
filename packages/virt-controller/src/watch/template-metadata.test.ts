import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotations, restrictedVmiLabels, type VirtualMachineInstanceReplicaSet } from '@podvisor/api';
import { vmWith } from '../testing/objects.ts';
import { buildReplica } from './replicaset/reconcile.ts';
import { templateAnnotations, templateLabels } from './template-metadata.ts';
import { buildVmi } from './vm/build-vmi.ts';

test('a template cannot give its VMI a label by which our components find VMIs', () => {
  const forged = Object.fromEntries(restrictedVmiLabels.map((key) => [key, 'node-1']));
  const vm = vmWith({});
  const template = { ...vm.spec.template, metadata: { labels: { ...forged, app: 'web' } } };
  assert.deepEqual(buildVmi(vm, template).metadata?.labels, { app: 'web' });
});

test('a template cannot say from which memory its VMI goes on, be it of a VM or of a replica set', () => {
  const forged = {
    [annotations.hibernatedState]: 'memory 0d8d1f7c-7a5e-4b9e-9d6e-0123456789ab whole',
    a: 'b',
  };
  const vm = vmWith({});
  const template = { ...vm.spec.template, metadata: { annotations: forged } };
  const replicaSet = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 'set', namespace: 'shop', uid: 'u' },
    spec: { selector: {}, template },
  } as VirtualMachineInstanceReplicaSet;
  for (const vmi of [buildVmi(vm, template), buildReplica(replicaSet)]) {
    assert.equal(vmi.metadata?.annotations?.[annotations.hibernatedState], undefined);
    assert.equal(vmi.metadata?.annotations?.['a'], 'b');
  }
});

test('other labels and annotations are taken as they are', () => {
  const labels = { app: 'web' };
  assert.equal(templateLabels(labels), labels);
  assert.equal(templateLabels(undefined), undefined);
  assert.equal(templateAnnotations(labels), labels);
});
