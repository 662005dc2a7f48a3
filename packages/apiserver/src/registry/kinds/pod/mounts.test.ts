/** What Kubernetes refuses of a Pod's mounts: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('mounts', [
  ['spec.containers.0.volumeMounts.0.name', 'zz', ['NotFound spec.containers[0].volumeMounts[0].name']],
  [
    'spec.containers.0.volumeMounts.0.name',
    '',
    ['NotFound spec.containers[0].volumeMounts[0].name', 'Required spec.containers[0].volumeMounts[0].name'],
  ],
  [
    'spec.containers.0.volumeMounts.0.mountPath',
    '',
    ['Required spec.containers[0].volumeMounts[0].mountPath'],
  ],
  [
    'spec.containers.0.volumeMounts',
    [
      { name: 'v', mountPath: '/v' },
      { name: 'v', mountPath: '/v' },
    ],
    ['Invalid spec.containers[0].volumeMounts[1].mountPath'],
  ],
  ['spec.containers.0.volumeMounts.0.subPath', '../x', ['Invalid spec.containers[0].volumeMounts.subPath']],
  ['spec.containers.0.volumeMounts.0.subPath', '/x', ['Invalid spec.containers[0].volumeMounts.subPath']],
  [
    'spec.containers.0.volumeMounts.0.subPathExpr',
    '../x',
    ['Invalid spec.containers[0].volumeMounts.subPathExpr'],
  ],
  [
    'spec.containers.0.volumeMounts.0',
    { name: 'v', mountPath: '/v', subPath: 'a', subPathExpr: 'b' },
    ['Invalid spec.containers[0].volumeMounts[0].subPathExpr'],
  ],
  [
    'spec.containers.0.volumeMounts.0.mountPropagation',
    'Bidirectional',
    ['Forbidden spec.containers[0].volumeMounts.mountPropagation'],
  ],
  [
    'spec.containers.0.volumeMounts.0.recursiveReadOnly',
    'Enabled',
    ['Forbidden spec.containers[0].volumeMounts.recursiveReadOnly'],
  ],
  [
    'spec.containers.0.volumeMounts.0.recursiveReadOnly',
    'Foo',
    ['NotSupported spec.containers[0].volumeMounts.recursiveReadOnly'],
  ],
  [
    'spec.containers.0.volumeDevices',
    [{ name: 'v', devicePath: '/dev/x' }],
    [
      'Invalid spec.containers[0].volumeDevices[0].name',
      'Invalid spec.containers[0].volumeDevices[0].name',
      'Invalid spec.containers[0].volumeMounts[0].name',
    ],
  ],
  [
    'spec.containers.0.volumeDevices',
    [{ name: 'zz', devicePath: '' }],
    [
      'NotFound spec.containers[0].volumeDevices[0].name',
      'Required spec.containers[0].volumeDevices[0].devicePath',
    ],
  ],
]);
