import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject, KubeVirt, Node } from '@podvisor/api';
import { withoutMarks } from './node-marks.ts';
import { type UninstallFacts, uninstallStep } from './plan.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const kubevirt = (uninstallStrategy?: string): KubeVirt => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: { name: 'kubevirt', namespace: 'vms', deletionTimestamp: '2026-01-01T00:00:00Z' },
  spec: uninstallStrategy === undefined ? {} : { uninstallStrategy },
});
const of = (kind: string): KubernetesObject => ({ kind, metadata: { name: 'x', namespace: 'vms' } });
const everything = ['CustomResourceDefinition', 'Role', 'Deployment', 'ValidatingWebhookConfiguration'].map(
  of,
);
const nothing: UninstallFacts = {
  live: [],
  workloads: [],
  guestPods: 0,
  controllerRuns: true,
  pods: 0,
  leftOnNodes: 0,
  dataVolumes: 0,
};

const ofDataVolumes: KubernetesObject = {
  kind: 'CustomResourceDefinition',
  metadata: { name: 'datavolumes.cdi.kubevirt.io' },
};

const cases: readonly [string, KubeVirt, Partial<UninstallFacts>, number, RegExp][] = [
  ['kinds go at the end', kubevirt(), { live: [ofDataVolumes] }, 0, /^remove CustomResourceDefinition/],
  [
    'but not those of disks that are there',
    kubevirt(),
    { live: [ofDataVolumes], dataVolumes: 1 },
    0,
    /^done/,
  ],
  [
    'webhooks go first',
    kubevirt(),
    { live: everything, workloads: [of('VirtualMachine')] },
    0,
    /^remove ValidatingWebhook/,
  ],
  [
    'guests end while somebody ends them',
    kubevirt(),
    { live: everything.slice(0, 3), workloads: [of('VirtualMachine')] },
    0,
    /^endWorkloads force=false/,
  ],
  [
    'guests are let go when nobody does',
    kubevirt(),
    { live: everything.slice(0, 3), workloads: [of('VirtualMachine')], controllerRuns: false },
    0,
    /^endWorkloads force=true/,
  ],
  [
    'or when it takes too long',
    kubevirt(),
    { workloads: [of('VirtualMachine')] },
    301_000,
    /^endWorkloads force=true/,
  ],
  [
    'guests block',
    kubevirt('BlockUninstallIfWorkloadsExist'),
    { live: everything, workloads: [of('VirtualMachine')] },
    0,
    /^wait 1 virtual machines .*VirtualMachine vms\/x.*RemoveWorkloads/,
  ],
  [
    'Pods of guests end before those who look after them go',
    kubevirt(),
    { live: everything.slice(0, 3), guestPods: 1 },
    0,
    /^wait Waiting for 1 Pods of guests/,
  ],
  [
    'a Pod of a lost node holds nothing up for ever',
    kubevirt(),
    { live: everything.slice(0, 3), guestPods: 1 },
    301_000,
    /^remove Deployment/,
  ],
  [
    'without guests nothing blocks',
    kubevirt('BlockUninstallIfWorkloadsExist'),
    { live: everything.slice(0, 3) },
    0,
    /^remove Deployment$/,
  ],
  [
    'Pods have ended before nodes are cleaned',
    kubevirt(),
    { live: everything.slice(0, 2), pods: 1, leftOnNodes: 2 },
    0,
    /^wait Waiting for 1 Pods/,
  ],
  ['nodes are cleaned', kubevirt(), { live: everything.slice(0, 2), leftOnNodes: 2 }, 0, /^cleanNodes/],
  ['definitions', kubevirt(), { live: everything.slice(0, 2) }, 0, /^remove CustomResourceDefinition$/],
  ['rights last', kubevirt(), { live: everything.slice(1, 2) }, 0, /^remove Role$/],
  ['done', kubevirt(), {}, 0, /^done$/],
];
for (const [name, object, facts, afterMs, expected] of cases)
  test(`uninstall: ${name}`, () => {
    const step = uninstallStep(object, { ...nothing, ...facts }, START + afterMs);
    const text =
      step.kind === 'remove'
        ? `remove ${step.objects.map(({ kind }) => kind).join(' ')}`
        : step.kind === 'endWorkloads'
          ? `endWorkloads force=${step.force}`
          : step.kind === 'wait'
            ? `wait ${step.message}`
            : step.kind;
    assert.match(text, expected);
  });

test('marks of a node are found, and nobody else’s', () => {
  const node = (labels: Record<string, string>): Node => ({ metadata: { name: 'n', labels }, spec: {} });
  assert.equal(withoutMarks(node({ 'kubernetes.io/arch': 'amd64' })), undefined);
  assert.deepEqual(
    withoutMarks(
      node({ 'kubevirt.io/schedulable': 'true', 'cpu-model.node.kubevirt.io/X': 'true', role: 'a' }),
    ),
    {
      metadata: {
        labels: { 'kubevirt.io/schedulable': null, 'cpu-model.node.kubevirt.io/X': null },
        annotations: {},
      },
    },
  );
});
