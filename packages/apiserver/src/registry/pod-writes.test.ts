/** Refusals of a kube-apiserver: what may change of a Pod, and through which of its subresources. */
import { refusedWrites } from '../testing/refused-writes.ts';

const container = { name: 'c', image: 'i' };
const sized = {
  ...container,
  volumeMounts: [{ name: 'v', mountPath: '/v' }],
  resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
};
const spec = {
  containers: [sized, { name: 'd', image: 'j' }],
  initContainers: [{ name: 'i0', image: 'i' }],
  volumes: [{ name: 'v', emptyDir: {} }],
};
const path = '/api/v1/namespaces/default/pods';
const KINDS = {
  Pod: { path, object: { spec } },
  GatedPod: { path, object: { spec: { ...spec, schedulingGates: [{ name: 'a' }, { name: 'b' }] } } },
  PodBestEffort: { path, object: { spec: { containers: [container] } } },
};

refusedWrites(KINDS, [
  ['Pod', 'update', 'spec.schedulingGates', [{ name: 'a' }], ['Forbidden spec.schedulingGates[0].name']],
  ['GatedPod', 'update', 'spec.schedulingGates', [{ name: 'c' }], ['Forbidden spec.schedulingGates[0].name']],
  [
    'GatedPod',
    'update',
    'spec.schedulingGates',
    [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    ['Forbidden spec.schedulingGates[2].name'],
  ],
  [
    'Pod',
    'status',
    'status.conditions',
    [{}],
    ['Invalid status.conditions[0].Type', 'Invalid status.conditions[0].Type'],
  ],
  [
    'Pod',
    'status',
    'status.conditions',
    [{ type: 'a b', status: 'True' }],
    ['Invalid status.conditions[0].Type'],
  ],
  ['Pod', 'status', 'status.podIPs', [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }], ['Invalid status.podIPs']],
  ['Pod', 'status', 'status.qosClass', 'Guaranteed', ['Invalid status.qosClass']],
  ['Pod', 'status', 'status.qosClass', 'Foo', ['Invalid status.qosClass']],
  ['Pod', 'status', 'status.nominatedNodeName', 'A', ['Invalid status.nominatedNodeName']],
  ['Pod', 'status', 'status.observedGeneration', -1, ['Invalid status.observedGeneration']],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'c', image: 'x' }],
    ['Duplicate spec.ephemeralContainers[0].name'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'e' }],
    ['Required spec.ephemeralContainers[0].image'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{}],
    ['Required spec.ephemeralContainers[0].image', 'Required spec.ephemeralContainers[0].name'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'e', image: 'x', ports: [{ containerPort: 1 }] }],
    ['Forbidden spec.ephemeralContainers[0].ports'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'e', image: 'x', resources: { limits: { cpu: '1' } } }],
    ['Forbidden spec.ephemeralContainers[0].resources'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'e', image: 'x', livenessProbe: { exec: { command: ['a'] } } }],
    ['Forbidden spec.ephemeralContainers[0].livenessProbe'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'e', image: 'x', targetContainerName: 'zz' }],
    ['NotFound spec.ephemeralContainers[0].targetContainerName'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'e', image: 'x', lifecycle: { preStop: { exec: { command: ['a'] } } } }],
    ['Forbidden spec.ephemeralContainers[0].lifecycle'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'e', image: 'x', volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'x' }] }],
    ['Forbidden spec.ephemeralContainers[0].volumeMounts[0].subPath'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [{ name: 'e', image: 'x', restartPolicy: 'Always' }],
    ['Forbidden spec.ephemeralContainers[0].restartPolicy'],
  ],
  [
    'Pod',
    'ephemeralcontainers',
    'spec.ephemeralContainers',
    [
      { name: 'e', image: 'x' },
      { name: 'e', image: 'x' },
    ],
    ['Duplicate spec.ephemeralContainers[1].name'],
  ],
  [
    'Pod',
    'resize',
    'spec.containers.0.resources.limits',
    {},
    ['Forbidden spec.containers[0].resources.limits'],
  ],
  [
    'Pod',
    'resize',
    'spec.containers.0.resources.requests',
    { 'ephemeral-storage': '1Gi', cpu: '1', memory: '1Gi' },
    ['Forbidden spec'],
  ],
  ['Pod', 'resize', 'spec.initContainers.0.resources', { requests: { cpu: '1' } }, ['Forbidden spec']],
  [
    'Pod',
    'resize',
    'spec.containers.0.resizePolicy',
    [
      { resourceName: 'cpu', restartPolicy: 'RestartContainer' },
      { resourceName: 'memory', restartPolicy: 'NotRequired' },
    ],
    ['Forbidden spec'],
  ],
  [
    'Pod',
    'resize',
    'spec.containers',
    [{ name: 'c', image: 'i' }],
    ['Forbidden spec.containers', 'Invalid spec'],
  ],
  ['PodBestEffort', 'resize', 'spec.containers.0.resources', { requests: { cpu: '1' } }, ['Invalid spec']],
  [
    'Pod',
    'create',
    'spec.ephemeralContainers',
    [{ name: 'e', image: 'x' }],
    ['Forbidden spec.ephemeralContainers'],
  ],
  ['Pod', 'update', 'spec.ephemeralContainers', [{ name: 'e', image: 'x' }], ['Forbidden spec']],
]);
