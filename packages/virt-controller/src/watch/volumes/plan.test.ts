import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, Pod, VirtualMachineInstance, VolumeStatus } from '@podvisor/api';
import { newTroubles, planVolumes } from './plan.ts';

const NOW_MS = Date.parse('2026-01-01T01:00:00Z');

const claim = (name: string, phase: 'Bound' | 'Pending' = 'Bound'): PersistentVolumeClaim => ({
  metadata: { name, uid: `uid-${name}` },
  spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem' },
  status: { phase, capacity: { storage: '1Gi' } },
});

function vmi(volumes: readonly string[], volumeStatus: readonly VolumeStatus[] = []): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a', namespace: 'n' },
    spec: {
      domain: { devices: {} },
      volumes: volumes.map((name) => ({
        name,
        persistentVolumeClaim: { claimName: `c-${name}`, hotpluggable: true },
      })),
    },
    status: { volumeStatus },
  };
}

function pod(name: string, volumes: readonly string[], phase = 'Running', ageMs = 60_000): Pod {
  return {
    metadata: { name, uid: `uid-${name}`, creationTimestamp: new Date(NOW_MS - ageMs).toISOString() },
    spec: {
      containers: [],
      volumes: volumes.map((v) => ({ name: v, persistentVolumeClaim: { claimName: `c-${v}` } })),
    },
    status: { phase: phase as 'Running' },
  };
}

const status = (name: string, phase: string, attachPodUID?: string): VolumeStatus => ({
  name,
  target: '',
  phase,
  hotplugVolume: attachPodUID === undefined ? {} : { attachPodUID },
});

const plan = (
  object: VirtualMachineInstance,
  attachmentPods: readonly Pod[],
  claims: readonly PersistentVolumeClaim[] = [claim('c-one'), claim('c-two')],
) => {
  const result = planVolumes({
    vmi: object,
    attachmentPods,
    volumes: {
      claim: (name) => claims.find(({ metadata }) => metadata.name === name),
      dataVolumePhase: () => undefined,
    },
    nowMs: NOW_MS,
  });
  return {
    ...result,
    create: result.create.map((group) => group.map(({ volume }) => volume)),
    delete: result.delete.map(({ metadata }) => metadata.name),
    phases: Object.fromEntries(result.statuses.map((s) => [s.name, s.phase])),
  };
};

test('a plugged claim gets a Pod, then the node, then its status names the Pod', () => {
  const first = plan(vmi(['one']), []);
  assert.deepEqual([first.create, first.phases], [[['one']], { one: 'Bound' }]);
  const waiting = plan(vmi(['one'], first.statuses), [pod('p', ['one'], 'Pending')]);
  assert.deepEqual([waiting.create, waiting.phases], [[], { one: 'Bound' }]);
  const there = plan(vmi(['one'], first.statuses), [pod('p', ['one'])]);
  assert.deepEqual(there.phases, { one: 'AttachedToNode' });
  assert.deepEqual(there.statuses[0]?.hotplugVolume, { attachPodName: 'p', attachPodUID: 'uid-p' });
});

test('a second claim makes a new Pod; the old one goes when the new one holds everything', () => {
  const object = vmi(['one', 'two'], [status('one', 'Ready', 'uid-old')]);
  const old = pod('old', ['one']);
  assert.deepEqual(plan(object, [old]).create, [['one', 'two']]);
  const starting = plan(object, [old, pod('new', ['one', 'two'], 'Pending')]);
  assert.deepEqual([starting.create, starting.delete], [[], []]);
  assert.equal(starting.statuses[0]?.hotplugVolume?.attachPodUID, 'uid-old');
  const running = plan(object, [old, pod('new', ['one', 'two'])]);
  assert.deepEqual([running.delete, running.phases], [['old'], { one: 'Ready', two: 'AttachedToNode' }]);
  assert.equal(running.statuses[0]?.hotplugVolume?.attachPodUID, 'uid-new');
});

test('an unplugged claim stays on the node until the guest let go of it', () => {
  const held = pod('p', ['one']);
  const leaving = plan(vmi([], [status('one', 'Ready', 'uid-p')]), [held]);
  assert.deepEqual([leaving.delete, leaving.phases], [[], { one: 'Detaching' }]);
  const free = plan(vmi([], [status('one', 'UnMountedFromPod', 'uid-p')]), [held]);
  assert.deepEqual([free.delete, free.phases], [['p'], { one: 'UnMountedFromPod' }]);
  assert.deepEqual(plan(vmi([], [status('one', 'UnMountedFromPod')]), []).statuses, []);
});

test('a Pod that died under a guest is made anew, not at once, and nothing is taken from the guest', () => {
  const object = vmi(['one'], [status('one', 'Ready', 'uid-p')]);
  const fresh = plan(object, [pod('p', ['one'], 'Failed', 1_000)]);
  assert.deepEqual([fresh.create, fresh.delete, fresh.phases], [[], [], { one: 'Ready' }]);
  assert.equal(fresh.requeueAfterMs, 9_000);
  const later = plan(object, [pod('p', ['one'], 'Failed')]);
  assert.deepEqual([later.create, later.delete, later.phases], [[['one']], ['p'], { one: 'Ready' }]);
});

test('a claim that is missing says so; one that waits for a consumer gets a Pod alone', () => {
  const missing = plan(vmi(['one', 'none']), []);
  assert.deepEqual(missing.create, [['one']]);
  assert.match(missing.statuses.find((s) => s.name === 'none')?.message ?? '', /PVC c-none does not exist/);
  const unbound = plan(vmi(['one', 'two']), [], [claim('c-one'), claim('c-two', 'Pending')]);
  assert.deepEqual(unbound.create, [['one'], ['two']]);
  const bound = plan(vmi(['one', 'two']), [pod('a', ['one']), pod('b', ['two'])]);
  assert.deepEqual(bound.create, [['one', 'two']]);
  assert.deepEqual(bound.delete, []);
});

test('a claim for one Pod only has an attachment Pod of its own, which no change of the others touches', () => {
  const only = {
    ...claim('c-one'),
    spec: { accessModes: ['ReadWriteOncePod'], volumeMode: 'Filesystem' as const },
  };
  const { create } = plan(vmi(['one', 'two']), [], [only, claim('c-two')]);
  assert.deepEqual(create, [['two'], ['one']]);
  const ready = [status('one', 'Ready', 'uid-first')];
  const held = plan(vmi(['one', 'two'], ready), [pod('first', ['one'])], [only, claim('c-two')]);
  assert.deepEqual([held.create, held.delete], [[['two']], []]);
});

test('what an attachment Pod said before it failed is told with the volume until another holds it, once', () => {
  const said = 'user 107 may not write into the file system of volume one';
  const failed = (name: string): Pod => ({
    ...pod(name, ['one'], 'Failed', 1_000),
    status: {
      phase: 'Failed',
      containerStatuses: [
        {
          ...{ name: 'hotplug-disk', image: 'i', imageID: 'i', ready: false, restartCount: 0 },
          state: { terminated: { exitCode: 1, message: `${said}\n` } },
        },
      ],
    },
  });
  const first = plan(vmi(['one']), [failed('p')]);
  assert.deepEqual(first.phases, { one: 'Bound' });
  assert.equal(first.statuses[0]?.reason, 'AttachmentPodFailed');
  assert.match(first.statuses[0]?.message ?? '', new RegExp(`: ${said}$`));
  assert.equal(newTroubles(first.statuses, []).length, 1);
  const starting = plan(vmi(['one'], first.statuses), [pod('q', ['one'], 'Pending')]);
  const again = plan(vmi(['one'], first.statuses), [failed('q')]);
  for (const { statuses } of [starting, again]) {
    assert.deepEqual(statuses, first.statuses, 'nothing new to write');
    assert.deepEqual(newTroubles(statuses, first.statuses), []);
  }
  const running = plan(vmi(['one'], first.statuses), [pod('q', ['one'])]);
  assert.deepEqual([running.phases, running.statuses[0]?.message], [{ one: 'AttachedToNode' }, undefined]);
});

test('an attachment Pod that failed without a word is told, too', () => {
  const { statuses } = plan(vmi(['one']), [pod('p', ['one'], 'Failed', 1_000)]);
  assert.match(statuses[0]?.message ?? '', /it ended with no word/);
});
