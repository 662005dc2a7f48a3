import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject, KubeVirt } from '@podvisor/api';
import { OWNER_LABEL } from '../ownership.ts';
import { chooseDataVolumes, DATA_VOLUME_CRD } from './choice.ts';

const kubevirt = (featureGates: readonly string[]): KubeVirt => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: { name: 'kubevirt', namespace: 'vms' },
  spec: { configuration: { developerConfiguration: { featureGates } } },
});
const definition = (labels: Readonly<Record<string, string>>): KubernetesObject => ({
  kind: 'CustomResourceDefinition',
  metadata: { name: DATA_VOLUME_CRD, labels },
});
const ours = definition({ [OWNER_LABEL]: 'vms' });
const others = definition({ 'operator.cdi.kubevirt.io/createVersion': 'v1' });
const asked = ['Snapshot', 'DataVolumes'];

for (const [what, gates, found, choice, reason] of [
  ['nobody asks', [], undefined, 'absent', undefined],
  ['nobody asks, and CDI is there', [], others, 'absent', undefined],
  ['asked for', asked, undefined, 'filled', 'Installed'],
  ['asked for, and there', asked, ours, 'filled', 'Installed'],
  ['asked for, and CDI is there', asked, others, 'absent', 'ProvidedByOthers'],
  ['not asked for any more: claims keep their owners', [], ours, 'kept', undefined],
] as const)
  test(`DataVolumes: ${what}`, () => {
    const { dataVolumes, said } = chooseDataVolumes(kubevirt(gates), found);
    assert.equal(dataVolumes, choice);
    assert.equal(said?.reason, reason);
  });
