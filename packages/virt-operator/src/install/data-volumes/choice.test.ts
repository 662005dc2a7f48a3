import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject, KubeVirt } from '@podvisor/api';
import { OWNER_LABEL } from '../ownership.ts';
import { CDI_CRD, chooseDataVolumes, DATA_VOLUME_CRD } from './choice.ts';

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

const cdi: KubernetesObject = { kind: 'CustomResourceDefinition', metadata: { name: CDI_CRD } };

for (const [what, gates, found, choice, reason, handOver] of [
  ['nobody asks', [], {}, 'absent'],
  ['nobody asks, and CDI is there', [], { cdi, dataVolumes: others }, 'absent'],
  ['asked for', asked, {}, 'filled', 'Installed'],
  ['asked for, and there', asked, { dataVolumes: ours }, 'filled', 'Installed'],
  ['asked for, and CDI is there', asked, { cdi, dataVolumes: others }, 'absent', 'ProvidedByOthers'],
  ['asked for, and CDI is about to come', asked, { cdi }, 'absent', 'ProvidedByOthers'],
  ['not asked for any more: claims keep their owners', [], { dataVolumes: ours }, 'kept'],
  ['ours, and CDI has come', asked, { cdi, dataVolumes: ours }, 'absent', 'ProvidedByOthers', true],
  ['ours once, and CDI has come', [], { cdi, dataVolumes: ours }, 'absent', undefined, true],
] as const)
  test(`DataVolumes: ${what}`, () => {
    const chosen = chooseDataVolumes(kubevirt(gates), found);
    assert.equal(chosen.dataVolumes, choice);
    assert.equal(chosen.said?.reason, reason);
    assert.equal(chosen.handOver, handOver);
  });
