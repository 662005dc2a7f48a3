import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, Pod, VirtualMachineInstance, VolumeStatus } from '@podvisor/api';
import { readyTarget, targetPodWith } from '../../testing/migrations.ts';
import { NOW_MS, vmiWith } from '../../testing/objects.ts';
import { buildAttachmentPod } from '../volumes/attachment-pod.ts';
import { targetVolumes } from './target-volumes.ts';

const bound: PersistentVolumeClaim = {
  metadata: { name: 'claim', uid: 'claim-uid' },
  spec: { accessModes: ['ReadWriteMany'], volumeMode: 'Block' },
  status: { phase: 'Bound', capacity: { storage: '1Gi' } },
};
const CLAIM = { volume: 'data', claimName: 'claim', claimUid: 'claim-uid', block: true };

function guest(phase: string): VirtualMachineInstance {
  const volumeStatus: VolumeStatus[] = [{ name: 'data', target: 'vdc', phase, hotplugVolume: {} }];
  const vmi = vmiWith({ phase: 'Running', volumeStatus });
  const claim = { name: 'data', persistentVolumeClaim: { claimName: 'claim', hotpluggable: true } };
  return { ...vmi, spec: { ...vmi.spec, volumes: phase === 'Detaching' ? [] : [claim] } };
}

function attachment(phase: 'Pending' | 'Running' | 'Failed', ageMs = 60_000): Pod {
  const pod = buildAttachmentPod({
    vmi: vmiWith({}),
    launcher: targetPodWith(readyTarget.status, {
      annotations: { 'kubevirt.io/migrationJobName': 'move' },
    }),
    claims: [CLAIM],
    others: [],
    launcherImage: 'launcher',
  });
  const creationTimestamp = new Date(NOW_MS - ageMs).toISOString();
  return { ...pod, metadata: { ...pod.metadata, uid: 'hp', creationTimestamp }, status: { phase } };
}

const look = (
  vmi: VirtualMachineInstance,
  pods: readonly Pod[],
  claim: PersistentVolumeClaim | null = bound,
) => targetVolumes(vmi, pods, { claim: () => claim ?? undefined, dataVolumePhase: () => undefined }, NOW_MS);

test('a guest without plugged claims waits for nothing', () => {
  assert.deepEqual(look(vmiWith({ phase: 'Running' }), []), { kind: 'ready', podUid: undefined });
});

test('the target gets an attachment Pod of its own, and waits until it runs', () => {
  const asked = look(guest('Ready'), []);
  assert.deepEqual(asked, { kind: 'create', claims: [{ ...CLAIM, capacityBytes: 2 ** 30 }] });
  assert.match(JSON.stringify(look(guest('Ready'), [attachment('Pending')])), /does not run yet/);
  assert.deepEqual(look(guest('Ready'), [attachment('Running')]), { kind: 'ready', podUid: 'hp' });
});

test('one that failed is made again after a moment', () => {
  const { kind, requeueAfterMs } = {
    requeueAfterMs: 0,
    ...look(guest('Ready'), [attachment('Failed', 4_000)]),
  };
  assert.deepEqual([kind, requeueAfterMs], ['wait', 6_000]);
  assert.equal(look(guest('Ready'), [attachment('Failed')]).kind, 'create');
});

test('nothing is handed over while a claim is on its way out of the guest, or is lost', () => {
  assert.match(JSON.stringify(look(guest('Detaching'), [])), /data is being unplugged/);
  assert.match(JSON.stringify(look(guest('Ready'), [], null)), /data is not bound/);
  assert.equal(look(guest('Pending'), [], null).kind, 'ready');
});

test('the attachment Pod names the migration of its target', () => {
  const { labels, annotations } = attachment('Running').metadata;
  assert.equal(labels?.['kubevirt.io/migrationJobUID'], 'move-uid');
  assert.equal(annotations?.['kubevirt.io/migrationJobName'], 'move');
});
