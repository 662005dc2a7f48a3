/** What Kubernetes refuses of a Pod's resources: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('resources', [
  ['spec.containers.0.resources.requests.cpu', '3', ['Invalid spec.containers[0].resources.requests']],
  ['spec.containers.0.resources.requests.cpu', '-1', ['Invalid spec.containers[0].resources.requests[cpu]']],
  [
    'spec.containers.0.resources.requests.foo',
    '1',
    [
      'Invalid spec.containers[0].resources.requests[foo]',
      'Invalid spec.containers[0].resources.requests[foo]',
    ],
  ],
  [
    'spec.containers.0.resources.requests',
    { 'a.b/c': '1' },
    ['Required spec.containers[0].resources.limits'],
  ],
  [
    'spec.containers.0.resources.limits',
    { 'a.b/c': '1.5' },
    [
      'Invalid spec.containers[0].resources.limits[a.b/c]',
      'Invalid spec.containers[0].resources.requests[a.b/c]',
    ],
  ],
  [
    'spec.containers.0.resources.limits',
    { 'a b': '1' },
    [
      'Invalid spec.containers[0].resources.limits[a b]',
      'Invalid spec.containers[0].resources.limits[a b]',
      'Invalid spec.containers[0].resources.requests[a b]',
      'Invalid spec.containers[0].resources.requests[a b]',
    ],
  ],
  [
    'spec.containers.0.resources.limits',
    { 'hugepages-2Mi': '3Mi', memory: '1Gi' },
    [
      'Invalid spec.containers[0].resources.limits[hugepages-2Mi]',
      'Invalid spec.containers[0].resources.requests[hugepages-2Mi]',
    ],
  ],
  [
    'spec.containers.0.resources.limits',
    { storage: '1' },
    [
      'Invalid spec.containers[0].resources.limits[storage]',
      'Invalid spec.containers[0].resources.requests[storage]',
    ],
  ],
  [
    'spec.containers.0.resources.limits',
    { 'requests.foo/x': '1' },
    [
      'Invalid spec.containers[0].resources.limits[requests.foo/x]',
      'Invalid spec.containers[0].resources.requests[requests.foo/x]',
    ],
  ],
  [
    'spec.containers.0.resources.claims',
    [{ name: 'x' }],
    ['NotFound spec.containers[0].resources.claims[0]'],
  ],
  ['spec.containers.0.resources.limits', { cpu: '500m' }, ['Invalid spec.containers[0].resources.requests']],
]);
