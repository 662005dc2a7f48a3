/** What Kubernetes refuses of a Pod's ports: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('ports', [
  ['spec.containers.0.ports.0.containerPort', 0, ['Required spec.containers[0].ports[0].containerPort']],
  ['spec.containers.0.ports.0.containerPort', 70000, ['Invalid spec.containers[0].ports[0].containerPort']],
  ['spec.containers.0.ports.0.containerPort', -1, ['Invalid spec.containers[0].ports[0].containerPort']],
  [
    'spec.containers.0.ports.0.name',
    'A',
    ['Invalid spec.containers[0].ports[0].name', 'Invalid spec.containers[0].ports[0].name'],
  ],
  ['spec.containers.0.ports.0.name', 'toolongportnamehere', ['Invalid spec.containers[0].ports[0].name']],
  ['spec.containers.0.ports.0.name', '123', ['Invalid spec.containers[0].ports[0].name']],
  ['spec.containers.0.ports.0.name', 'a--b', ['Invalid spec.containers[0].ports[0].name']],
  ['spec.containers.0.ports.0.name', '-a', ['Invalid spec.containers[0].ports[0].name']],
  ['spec.containers.0.ports.0.protocol', 'Foo', ['NotSupported spec.containers[0].ports[0].protocol']],
  ['spec.containers.0.ports.0.hostPort', 70000, ['Invalid spec.containers[0].ports[0].hostPort']],
  [
    'spec.containers.0.ports',
    [
      { containerPort: 80, name: 'a' },
      { containerPort: 81, name: 'a' },
    ],
    ['Duplicate spec.containers[0].ports[1].name'],
  ],
  [
    'spec.containers.0.ports',
    [
      { containerPort: 80, hostPort: 5 },
      { containerPort: 81, hostPort: 5 },
    ],
    ['Duplicate spec.containers[0].ports[1].hostPort'],
  ],
]);
