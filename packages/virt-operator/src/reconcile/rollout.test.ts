import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Pod } from '@podvisor/api';
import { isRolledOut, stuckPod, withoutNode, withoutPods } from './rollout.ts';

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
  ['no node may run it, for now', 'DaemonSet', {}, { desiredNumberScheduled: 0 }, false],
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

test('a DaemonSet without a node says which nodes there are, and why they do not count', () => {
  const node = (name: string, ...keys: string[]): Node =>
    ({
      metadata: { name },
      spec: { taints: keys.map((key) => ({ key, effect: 'NoSchedule' })) },
    }) as unknown as Node;
  const set = (status: object) => ({
    kind: 'DaemonSet',
    metadata: { name: 'virt-handler', generation: 2 },
    status,
  });
  const nodes = [node('a', 'node.kubernetes.io/not-ready'), node('b'), node('c'), node('d'), node('e')];
  const message = withoutNode(set({ observedGeneration: 2, desiredNumberScheduled: 0 }), nodes) ?? '';
  assert.match(
    message,
    /virt-handler: a \(node.kubernetes.io\/not-ready:NoSchedule\), b \(no taint\), .*2 more; check/,
  );
  assert.match(withoutNode(set({ observedGeneration: 2 }), []) ?? '', /there is none/);
  assert.equal(withoutNode(set({ observedGeneration: 1 }), nodes), undefined, 'not looked at yet');
  assert.equal(withoutNode(set({ observedGeneration: 2, desiredNumberScheduled: 1 }), nodes), undefined);
  assert.equal(withoutNode({ kind: 'Deployment' }, nodes), undefined);
});

const deployment = (status: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'virt-operator', namespace: 'vms', generation: 1 },
  status,
});
for (const [name, status, expected] of [
  ['nobody looks after it', {}, /kube-controller-manager has not looked at the Deployment/],
  [
    'refused',
    {
      observedGeneration: 1,
      conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }],
    },
    /refused: exceeded quota; check quotas, .* of namespace vms/,
  ],
  ['not made yet', { observedGeneration: 1 }, /^$/],
] as const)
  test(`a Deployment without Pods: ${name}`, () =>
    assert.match(withoutPods(deployment(status), []) ?? '', expected));

test('a Deployment with a Pod, and none at all, do not lack one', () => {
  const pod: Pod = {
    metadata: { name: 'p', labels: { 'kubevirt.io': 'virt-operator' } },
    spec: { containers: [] },
  };
  assert.equal(withoutPods(deployment({}), [pod]), undefined);
  assert.equal(withoutPods(undefined, []), undefined);
});
