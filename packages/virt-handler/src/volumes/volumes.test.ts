import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireDnsLabel } from '@podvisor/base';
import type { VirtualMachineInstance, VolumeStatus } from '@podvisor/api';
import { parseMountinfo } from '@podvisor/sys';
import { domainState, POD_UID } from '../testing/objects.ts';
import { placesHere } from './attachment.ts';
import { awaitedPlugs, desiredPlugs, unplugList } from './plan.ts';
import { volumeEvents, volumeStatuses } from './status.ts';

function vmi(volumes: readonly string[], volumeStatus: readonly VolumeStatus[]): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a' },
    spec: {
      domain: { devices: {} },
      volumes: volumes.map((name) => ({
        name,
        persistentVolumeClaim: { claimName: name, hotpluggable: true },
      })),
    },
    status: { volumeStatus },
  };
}
const onNode = (phase: string): VolumeStatus => ({
  name: 'data',
  target: '',
  phase,
  hotplugVolume: { attachPodName: 'hp', attachPodUID: POD_UID },
  persistentVolumeClaimInfo: { volumeMode: 'Block' },
});
const statusOf = (
  object: VirtualMachineInstance,
  inGuest: boolean,
  plugged: readonly string[],
  failure?: string,
): VolumeStatus | undefined =>
  volumeStatuses(object, {
    domain: domainState(inGuest ? { pluggedVolumes: ['data'], diskTargets: { data: 'sda' } } : {}),
    plugged: new Set(plugged),
    ...(failure === undefined ? {} : { failure }),
  })[0];

test('a claim is plugged when virt-controller named the Pod that holds it, and only then', () => {
  assert.deepEqual(desiredPlugs(vmi(['data'], [{ name: 'data', target: '', hotplugVolume: {} }])), []);
  assert.deepEqual(desiredPlugs(vmi(['data'], [onNode('AttachedToNode')])), [
    { volume: 'data', attachPodUid: POD_UID, block: true },
  ]);
});

test('a guest that has not started waits for every plugged claim of its spec, for those of its launcher too', () => {
  assert.deepEqual(awaitedPlugs(vmi([], [])), []);
  assert.deepEqual(awaitedPlugs(vmi(['data'], [])), ['data'], 'also while the status does not name it');
  assert.deepEqual(awaitedPlugs(vmi(['data'], [{ name: 'data', target: '', hotplugVolume: {} }])), ['data']);
  assert.deepEqual(awaitedPlugs(vmi(['data'], [onNode('AttachedToNode')])), []);
  assert.deepEqual(awaitedPlugs(vmi([], [onNode('Detaching')])), [], 'nobody wants it any more');
  const object = vmi([], []);
  const spec = {
    ...object.spec,
    volumes: [
      { name: 'fixed', persistentVolumeClaim: { claimName: 'fixed' } },
      { name: 'dump', memoryDump: { claimName: 'dump', hotpluggable: true } },
    ],
    utilityVolumes: [{ name: 'backup', claimName: 'backup' }],
  };
  assert.deepEqual(awaitedPlugs({ ...object, spec }), ['dump', 'backup']);
});

test('what is no UID names no Pod, and what is no name no volume', () => {
  const uids = ['', '/', '..', POD_UID.slice(0, 5), `${POD_UID}/../x`, `../${POD_UID}`, ` ${POD_UID}`];
  for (const attachPodUID of uids) {
    const status = { ...onNode('AttachedToNode'), hotplugVolume: { attachPodName: 'hp', attachPodUID } };
    assert.deepEqual(desiredPlugs(vmi(['data'], [status])), [], attachPodUID);
  }
  for (const name of ['..', 'a/b', '../../etc'])
    assert.deepEqual(desiredPlugs(vmi([name], [{ ...onNode('AttachedToNode'), name }])), [], name);
});

test('a claim is taken away when nobody wants it and the guest has let go', () => {
  const plugged = [{ volume: requireDnsLabel('data') }];
  const using = domainState({ pluggedVolumes: ['data'] });
  assert.deepEqual(unplugList(vmi(['data'], []), plugged, undefined), []);
  assert.deepEqual(unplugList(vmi([], []), plugged, using), []);
  assert.deepEqual(unplugList(vmi([], []), plugged, domainState()), plugged);
});

test('the phases follow the claim into the guest and out of it', () => {
  const wanted = vmi(['data'], [onNode('AttachedToNode')]);
  assert.equal(statusOf(wanted, false, [])?.phase, 'AttachedToNode');
  assert.equal(statusOf(wanted, false, ['data'])?.phase, 'MountedToPod');
  const ready = statusOf(wanted, true, ['data']);
  assert.deepEqual([ready?.phase, ready?.target], ['Ready', 'sda']);
  const leaving = vmi([], [onNode('Ready')]);
  assert.equal(statusOf(leaving, true, ['data'])?.phase, 'Detaching');
  assert.equal(statusOf(leaving, false, [])?.phase, 'UnMountedFromPod');
});

test('a failed attach says why, at the volume that it concerns', () => {
  const wanted = vmi(['data'], [onNode('AttachedToNode')]);
  const failed = statusOf(wanted, false, ['data'], 'disk data could not be attached: no room');
  assert.deepEqual(
    [failed?.reason, failed?.message],
    ['AttachFailed', 'disk data could not be attached: no room'],
  );
  assert.equal(statusOf(wanted, false, ['data'], 'disk other could not be attached')?.reason, undefined);
  assert.deepEqual(
    volumeEvents([onNode('AttachedToNode')], failed === undefined ? [] : [failed]).map(({ type }) => type),
    ['Warning'],
  );
  assert.deepEqual(
    volumeEvents([onNode('MountedToPod')], [onNode('Ready')]).map(({ reason }) => reason),
    ['VolumeReady'],
  );
});

test('a claim of another mount namespace is looked for where this one shows the same directory', () => {
  const pod = parseMountinfo('900 880 8:1 /srv/volumes/pvc-1 /data rw - ext4 /dev/sda1 rw');
  const here = parseMountinfo(
    [
      '20 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw',
      '31 20 8:1 /srv /mnt/srv rw - ext4 /dev/sda1 rw',
      '32 20 8:2 / /srv rw - ext4 /dev/sdb1 rw',
      '33 20 8:1 /srv/volumes/pvc-1 /pods/1/data rw - ext4 /dev/sda1 rw',
      '34 20 8:1 /srv/volumes/pvc-10 /pods/2/data rw - ext4 /dev/sda1 rw',
    ].join('\n'),
  );
  const [mount] = pod;
  assert.ok(mount);
  assert.deepEqual(placesHere(mount, here), ['/pods/1/data', '/mnt/srv/volumes/pvc-1', '/srv/volumes/pvc-1']);
});
