import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { isRolledOut, stuckPod } from './rollout.ts';

const cases: readonly [string, string, object, object, boolean][] = [
  ['ready', 'Deployment', { replicas: 1 }, { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }, true],
  [
    'the old one is what is available',
    'Deployment',
    { replicas: 1 },
    { replicas: 2, updatedReplicas: 1, availableReplicas: 1 },
    false,
  ],
  ['not available yet', 'Deployment', { replicas: 1 }, { replicas: 1, updatedReplicas: 1 }, false],
  [
    'not looked at yet',
    'Deployment',
    { replicas: 1 },
    { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    false,
  ],
  [
    'on every node',
    'DaemonSet',
    {},
    { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 },
    true,
  ],
  [
    'one node is old',
    'DaemonSet',
    {},
    { desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 },
    false,
  ],
];
for (const [name, kind, spec, status, expected] of cases)
  test(`rolled out: ${name}`, () => {
    const object = { kind, metadata: { generation: 2 }, spec, status: { observedGeneration: 2, ...status } };
    assert.equal(isRolledOut(object), expected);
  });

const waiting = (component: string, reason: string): Pod =>
  ({
    metadata: { name: 'p', labels: { 'kubevirt.io': component } },
    spec: { containers: [] },
    status: { containerStatuses: [{ name: 'c', image: 'i', state: { waiting: { reason } } }] },
  }) as unknown as Pod;
for (const [component, reason, expected] of [
  ['virt-api', 'ErrImagePull', /imageTag .* of the KubeVirt object/],
  ['virt-operator', 'ErrImagePull', /image of the Deployment virt-operator/],
  ['virt-operator', 'RunContainerError', /container runtime of its node/],
  ['virt-api', 'CreateContainerError', /container runtime of its node/],
] as const)
  test(`${component} is stuck: ${reason}`, () =>
    assert.match(stuckPod([waiting(component, reason)], component) ?? '', expected));

test('a Pod whose first container has no image is stuck, too', () => {
  const pod = waiting('virt-handler', 'PodInitializing');
  const { containerStatuses: [first] = [] } = waiting('virt-handler', 'ImagePullBackOff').status ?? {};
  const status = {
    ...pod.status,
    initContainerStatuses: first === undefined ? [] : [first],
  } as Pod['status'];
  assert.match(stuckPod([{ ...pod, status }], 'virt-handler') ?? '', /ImagePullBackOff/);
});

test('a Pod that is being made is not stuck, whatever its reason is called', () => {
  for (const reason of ['ContainerCreating', 'constructor'])
    assert.equal(stuckPod([waiting('virt-api', reason)], 'virt-api'), undefined);
});
