import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Affinity, clusterConfig } from '@podvisor/api';
import { vmiOf } from '../../testing/vmi.ts';
import { renderLauncherPod } from '../render.ts';

const volumes = [
  { name: 'shared', persistentVolumeClaim: { claimName: 'lun' } },
  { name: 'own', dataVolume: { name: 'plain' } },
];
const claims = { lun: { block: true, uid: 'uid-of-lun' }, plain: { block: true, uid: 'uid-of-plain' } };

function podOf(reservation: boolean, affinity?: Affinity) {
  const disks = [
    { name: 'shared', lun: { bus: 'scsi', reservation } },
    { name: 'own', lun: { bus: 'scsi' } },
  ];
  const vmi = vmiOf(
    { devices: { disks }, cpu: { model: 'Haswell' } },
    { volumes, ...(affinity && { affinity }) },
  );
  return renderLauncherPod(vmi, { launcherImage: 'l', config: clusterConfig(), claims });
}
const term = {
  labelSelector: { matchExpressions: [{ key: 'pr.kubevirt.io/uid-of-lun', operator: 'Exists' }] },
  topologyKey: 'kubernetes.io/hostname',
};

test('VMs that share a reserved LUN keep apart', () => {
  const pod = podOf(true);
  assert.equal(pod.metadata.labels?.['pr.kubevirt.io/uid-of-lun'], '');
  assert.deepEqual(pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution, [
    term,
  ]);
});

test('without a reservation nothing is said', () => {
  const pod = podOf(false);
  assert.deepEqual(
    Object.keys(pod.metadata.labels ?? {}).filter((key) => key.startsWith('pr.')),
    [],
  );
  assert.equal(pod.spec.affinity, undefined);
});

test('what a VM asks for itself stays', () => {
  const own = { labelSelector: { matchLabels: { app: 'x' } }, topologyKey: 'zone' };
  const pod = podOf(true, { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [own] } });
  assert.deepEqual(pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution, [
    own,
    term,
  ]);
});
