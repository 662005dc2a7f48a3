import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { NOW_MS, readyPod, vmiWith } from '../../testing/objects.ts';
import type { VmiObservation, VmiPlan } from './plan.ts';
import { reconcileVmi } from './reconcile.ts';

const path = { name: 'token', containerPath: { path: '/var/run/token', readOnly: true } };
const domain = { devices: { filesystems: [{ name: 'token', virtiofs: {} }] } };
const vmi = (phase: string): VirtualMachineInstance =>
  vmiWith({ phase }, { spec: { domain, volumes: [path] } });

function plan(of: VirtualMachineInstance, more: Partial<VmiObservation> = {}): VmiPlan {
  return reconcileVmi({
    vmi: of,
    pods: [],
    attachmentPods: [],
    podsProven: false,
    cacheCaughtUp: true,
    volumes: { claim: () => undefined, dataVolumePhase: () => undefined },
    containerPathsAllowed: false,
    ownerVmExists: true,
    handlerSilent: false,
    overForMs: 60_000,
    nowMs: NOW_MS,
    ...more,
  });
}

const kinds = ({ actions }: VmiPlan): readonly string[] => actions.map(({ kind }) => kind);

function told({ actions }: VmiPlan): readonly unknown[] {
  return actions.flatMap((action): readonly unknown[] => {
    if (action.kind === 'event') return [action.event];
    if (action.kind !== 'update') return [];
    const found = action.vmi.status?.conditions?.find(({ type }) => type === 'Synchronized');
    return [[action.vmi.status?.phase, found?.status, found?.reason, found?.message]];
  });
}

test('while the gate is off a VMI that shows paths of its launcher gets no Pod, and is told why, once', () => {
  const message = 'VMI has ContainerPath volumes but the ContainerPathVolumes feature gate is disabled';
  const refused = plan(vmi('Pending'));
  assert.deepEqual(told(refused), [
    ['Pending', 'False', 'ContainerPathVolumesDisabled', message],
    ['Warning', 'ContainerPathVolumesDisabled', `Cannot create pod: ${message}`],
  ]);
  const [update] = refused.actions;
  assert.ok(update?.kind === 'update');
  const again = plan(update.vmi);
  assert.deepEqual(kinds(again), []);
  assert.ok(again.requeueAfterMs, 'the gate may be opened');
  assert.deepEqual(kinds(plan(update.vmi, { containerPathsAllowed: true })), ['createPod']);
});

test('a containerPath that no file system shows needs no gate', () => {
  const shown = vmiWith({ phase: 'Pending' }, { spec: { domain: { devices: {} }, volumes: [path] } });
  assert.deepEqual(kinds(plan(shown)), ['createPod']);
});

test('a Pod without the containers that serve the paths is not handed over', () => {
  const scheduling = vmi('Scheduling');
  const pod = readyPod;
  const message = 'pod is missing virtiofs containers for ContainerPath volumes: [virtiofs-token]';
  assert.deepEqual(told(plan(scheduling, { pods: [pod], containerPathsAllowed: true })), [
    ['Scheduling', 'False', 'MissingVirtiofsContainers', message],
    ['Warning', 'MissingVirtiofsContainers', `Pod sync error: ${message}`],
  ]);
  const server = { name: 'virtiofs-token', image: '' };
  const whole: Pod = { ...pod, spec: { ...pod.spec, containers: [...pod.spec.containers, server] } };
  const handed = plan(scheduling, { pods: [whole], containerPathsAllowed: true });
  assert.equal(told(handed).length, 1);
  assert.ok(kinds(handed).includes('update'));
});
