import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '@podvisor/api';
import { vmiOf } from '../testing/vmi.ts';
import { cpuSelector, fitMigrationTarget, seLinuxLevelOf } from './migration-target.ts';
import { renderLauncherPod } from './render.ts';

const options = { launcherImage: 'launcher', config: clusterConfig() };
const nodeLabels = {
  'host-model-cpu.node.kubevirt.io/Haswell': 'true',
  'host-model-required-features.node.kubevirt.io/avx': 'true',
  'cpu-vendor.node.kubevirt.io/Intel': 'true',
  'cpu-model.node.kubevirt.io/Nehalem': 'true',
};
const haswell = {
  'cpu-model-migration.node.kubevirt.io/Haswell': 'true',
  'cpu-feature.node.kubevirt.io/avx': 'true',
  'cpu-vendor.node.kubevirt.io/Intel': 'true',
};

test('a target keeps away from its source, and added selectors never loosen the own ones', () => {
  const vmi = vmiOf({ cpu: { model: 'Nehalem' } }, { nodeSelector: { zone: 'a' } });
  const labelled = {
    ...vmi,
    metadata: { ...vmi.metadata, labels: { app: 'x', 'kubevirt.io/nodeName': 'n1' } },
  };
  const pod = renderLauncherPod(labelled, options);
  assert.equal(pod.spec.nodeSelector?.zone, 'a');
  const source = { nodeLabels, podNodeSelector: {} };
  const fitted = fitMigrationTarget(pod, labelled, source, { zone: 'b', disk: 'ssd' });
  assert.deepEqual(fitted.spec.nodeSelector, { ...pod.spec.nodeSelector, disk: 'ssd' });
  assert.deepEqual(fitted.spec.affinity?.podAntiAffinity, {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        labelSelector: { matchLabels: { 'kubevirt.io/created-by': vmi.metadata?.uid ?? '' } },
        topologyKey: 'kubernetes.io/hostname',
      },
    ],
  });
  assert.equal(fitted.metadata.labels?.app, 'x');
  assert.equal(fitted.metadata.labels?.['kubevirt.io/nodeName'], undefined);
});

test('the CPU of the first node goes along', () => {
  const hostModel = vmiOf({ cpu: { model: 'host-model' } });
  const cases = [
    ['no model', vmiOf({}), { nodeLabels, podNodeSelector: {} }, haswell],
    ['host-model', hostModel, { nodeLabels, podNodeSelector: {} }, haswell],
    ['moved before', hostModel, { nodeLabels: {}, podNodeSelector: { ...haswell, zone: 'a' } }, haswell],
    [
      'features of the user are no sign of an earlier move',
      hostModel,
      { nodeLabels, podNodeSelector: { 'cpu-feature.node.kubevirt.io/pcid': 'true' } },
      haswell,
    ],
    ['named model', vmiOf({ cpu: { model: 'Nehalem' } }), { nodeLabels, podNodeSelector: {} }, {}],
    ['passthrough', vmiOf({ cpu: { model: 'host-passthrough' } }), { nodeLabels, podNodeSelector: {} }, {}],
  ] as const;
  for (const [name, vmi, source, want] of cases) assert.deepEqual(cpuSelector(vmi, source), want, name);
});

test('the level is the end of an SELinux context', () => {
  assert.equal(seLinuxLevelOf('system_u:object_r:container_file_t:s0:c1,c2'), 's0:c1,c2');
  assert.equal(seLinuxLevelOf('none'), undefined);
  assert.equal(seLinuxLevelOf(undefined), undefined);
});
