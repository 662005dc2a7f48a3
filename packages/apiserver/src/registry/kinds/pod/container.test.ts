/** What Kubernetes refuses of a Pod's containers: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('containers', [
  ['spec.containers', [], ['Required spec.containers']],
  ['spec.containers.0.name', 'A', ['Invalid spec.containers[0].name']],
  ['spec.containers.0.name', '', ['Required spec.containers[0].name']],
  [
    'spec.containers.0.name',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ['Invalid spec.containers[0].name'],
  ],
  ['spec.containers.1.name', 'c', ['Duplicate spec.containers[1].name']],
  ['spec.initContainers.0.name', 'c', ['Duplicate spec.initContainers[0].name']],
  ['spec.containers.0.image', '', ['Required spec.containers[0].image']],
  ['spec.containers.0.image', ' i', ['Invalid spec.containers[0].image']],
  ['spec.containers.0.imagePullPolicy', 'Foo', ['NotSupported spec.containers[0].imagePullPolicy']],
  ['spec.initContainers.0.restartPolicy', 'Foo', ['NotSupported spec.initContainers[0].restartPolicy']],
  ['spec.containers.0.restartPolicy', 'Foo', ['NotSupported spec.containers[0].restartPolicy']],
  [
    'spec.containers.0.restartPolicyRules',
    [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
    ['Required spec.containers[0].restartPolicy'],
  ],
  [
    'spec.containers.0.terminationMessagePolicy',
    'Foo',
    ['NotSupported spec.containers[0].terminationMessagePolicy'],
  ],
  [
    'spec.containers.0.resizePolicy',
    [{ resourceName: 'cpu', restartPolicy: 'Foo' }],
    ['NotSupported spec.containers[0].resizePolicy'],
  ],
  [
    'spec.containers.0.resizePolicy',
    [{ resourceName: 'foo', restartPolicy: 'NotRequired' }],
    ['NotSupported spec.containers[0].resizePolicy'],
  ],
  [
    'spec.containers.0.resizePolicy',
    [
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
      { resourceName: 'cpu', restartPolicy: 'RestartContainer' },
    ],
    ['Duplicate spec.containers[0].resizePolicy[1]'],
  ],
]);
