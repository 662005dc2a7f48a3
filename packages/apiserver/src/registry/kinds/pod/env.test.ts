/** What Kubernetes refuses of a Pod's variables: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('variables', [
  ['spec.containers.0.env.0.name', '', ['Required spec.containers[0].env[0].name']],
  ['spec.containers.0.env.0.name', 'a=b', ['Invalid spec.containers[0].env[0].name']],
  [
    'spec.containers.0.env.0',
    { name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ['Invalid spec.containers[0].env[0].valueFrom'],
  ],
  ['spec.containers.0.env.0', { name: 'A', valueFrom: {} }, ['Invalid spec.containers[0].env[0].valueFrom']],
  [
    'spec.containers.0.env.0',
    {
      name: 'A',
      valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } },
    },
    ['Invalid spec.containers[0].env[0].valueFrom'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.foo' } } },
    ['Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { fieldRef: { fieldPath: '' } } },
    ['Required spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } },
    ['Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } },
    ['Invalid spec.containers[0].env[0].valueFrom.fieldRef'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
    ['NotSupported spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.foo' } } },
    ['NotSupported spec.containers[0].env[0].valueFrom.resourceFieldRef.resource'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { resourceFieldRef: { resource: '' } } },
    ['Required spec.containers[0].env[0].valueFrom.resourceFieldRef.resource'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '5' } } },
    ['Invalid spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1m' } } },
    ['Invalid spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { configMapKeyRef: { name: '', key: 'k' } } },
    ['Invalid spec.containers[0].env[0].valueFrom.configMapKeyRef.name'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { configMapKeyRef: { name: 'x', key: '' } } },
    ['Required spec.containers[0].env[0].valueFrom.configMapKeyRef.key'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { configMapKeyRef: { name: 'x', key: 'a/b' } } },
    ['Invalid spec.containers[0].env[0].valueFrom.configMapKeyRef.key'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { secretKeyRef: { name: 'x', key: '..' } } },
    ['Invalid spec.containers[0].env[0].valueFrom.secretKeyRef.key'],
  ],
  [
    'spec.containers.0.env.0',
    { name: 'A', valueFrom: { secretKeyRef: { key: '..a' } } },
    [
      'Invalid spec.containers[0].env[0].valueFrom.secretKeyRef.key',
      'Invalid spec.containers[0].env[0].valueFrom.secretKeyRef.name',
    ],
  ],
  ['spec.containers.0.envFrom', [{}], ['Invalid spec.containers[0].envFrom']],
  [
    'spec.containers.0.envFrom',
    [{ configMapRef: { name: 'a' }, secretRef: { name: 'b' } }],
    ['Invalid spec.containers[0].envFrom'],
  ],
  [
    'spec.containers.0.envFrom',
    [{ configMapRef: { name: '' } }],
    ['Required spec.containers[0].envFrom[0].configMapRef.name'],
  ],
  [
    'spec.containers.0.envFrom',
    [{ prefix: '=', secretRef: { name: 'x' } }],
    ['Invalid spec.containers[0].envFrom[0].prefix'],
  ],
]);
