import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdFor, crds } from './crds.ts';

test('every kind has exactly one storage version', () => {
  for (const crd of crds) {
    assert.equal(crd.spec.versions.filter((version) => version.storage).length, 1, crd.metadata.name);
  }
});

test('crdFor refuses a kind that is not ours', () => {
  assert.throws(() => crdFor('Pod'), /Pod is not a kind/);
});

test('metadata says no more than that it is an object: an API server would refuse the definition', () => {
  for (const crd of crds)
    for (const { schema } of crd.spec.versions)
      assert.deepEqual(
        schema?.openAPIV3Schema?.properties?.['metadata'],
        { type: 'object' },
        crd.metadata.name,
      );
});

test('versions that end say so in the words that KubeVirt’s clients look for', () => {
  const warnings = (kind: string): readonly (string | undefined)[] =>
    crdFor(kind).spec.versions.map((version) => version.deprecationWarning);
  assert.deepEqual(warnings('VirtualMachineInstancePreset'), [
    'kubevirt.io/v1 VirtualMachineInstancePresets is now deprecated and will be removed in v2.',
    'kubevirt.io/v1alpha3 VirtualMachineInstancePresets is now deprecated and will be removed in v2.',
  ]);
  assert.deepEqual(warnings('VirtualMachineExport'), [
    'export.kubevirt.io/v1beta1 VirtualMachineExport is now deprecated and will be removed in a future version.',
    undefined,
  ]);
});
