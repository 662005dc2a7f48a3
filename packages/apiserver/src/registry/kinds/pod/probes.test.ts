/** What Kubernetes refuses of a Pod's probes and hooks: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('probes and hooks', [
  ['spec.containers.0.livenessProbe', {}, ['Required spec.containers[0].livenessProbe']],
  [
    'spec.containers.0.livenessProbe',
    { exec: {} },
    ['Required spec.containers[0].livenessProbe.exec.command'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, tcpSocket: { port: 1 } },
    ['Forbidden spec.containers[0].livenessProbe.tcpSocket'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { httpGet: { port: 0 } },
    ['Invalid spec.containers[0].livenessProbe.httpGet.port'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { httpGet: { port: 'A' } },
    [
      'Invalid spec.containers[0].livenessProbe.httpGet.port',
      'Invalid spec.containers[0].livenessProbe.httpGet.port',
    ],
  ],
  [
    'spec.containers.0.livenessProbe',
    { httpGet: { port: 70000 } },
    ['Invalid spec.containers[0].livenessProbe.httpGet.port'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { httpGet: { port: 80, scheme: 'x' } },
    ['NotSupported spec.containers[0].livenessProbe.httpGet.scheme'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { httpGet: { port: 80, httpHeaders: [{ name: 'a b', value: 'c' }] } },
    ['Invalid spec.containers[0].livenessProbe.httpGet.httpHeaders'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { httpGet: { port: 80, httpHeaders: [{ name: '', value: 'c' }] } },
    ['Invalid spec.containers[0].livenessProbe.httpGet.httpHeaders'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { tcpSocket: { port: -1 } },
    ['Invalid spec.containers[0].livenessProbe.tcpSocket.port'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { grpc: { port: 0 } },
    ['Invalid spec.containers[0].livenessProbe.grpc.port'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, initialDelaySeconds: -1 },
    ['Invalid spec.containers[0].livenessProbe.initialDelaySeconds'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, timeoutSeconds: -1 },
    ['Invalid spec.containers[0].livenessProbe.timeoutSeconds'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, periodSeconds: -1 },
    ['Invalid spec.containers[0].livenessProbe.periodSeconds'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, successThreshold: 2 },
    ['Invalid spec.containers[0].livenessProbe.successThreshold'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, successThreshold: -1 },
    [
      'Invalid spec.containers[0].livenessProbe.successThreshold',
      'Invalid spec.containers[0].livenessProbe.successThreshold',
    ],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, failureThreshold: -1 },
    ['Invalid spec.containers[0].livenessProbe.failureThreshold'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, terminationGracePeriodSeconds: 0 },
    ['Invalid spec.containers[0].livenessProbe.terminationGracePeriodSeconds'],
  ],
  [
    'spec.containers.0.livenessProbe',
    { exec: { command: ['a'] }, terminationGracePeriodSeconds: -5 },
    ['Invalid spec.containers[0].livenessProbe.terminationGracePeriodSeconds'],
  ],
  [
    'spec.containers.0.readinessProbe',
    { exec: { command: ['a'] }, terminationGracePeriodSeconds: 5 },
    ['Invalid spec.containers[0].readinessProbe.terminationGracePeriodSeconds'],
  ],
  [
    'spec.containers.0.startupProbe',
    { exec: { command: ['a'] }, successThreshold: 3 },
    ['Invalid spec.containers[0].startupProbe.successThreshold'],
  ],
  [
    'spec.initContainers.0.livenessProbe',
    { exec: { command: ['a'] } },
    ['Forbidden spec.initContainers[0].livenessProbe'],
  ],
  ['spec.initContainers.0.readinessProbe', {}, ['Forbidden spec.initContainers[0].readinessProbe']],
  [
    'spec.initContainers.0.lifecycle',
    { preStop: { exec: { command: ['a'] } } },
    ['Forbidden spec.initContainers[0].lifecycle'],
  ],
  ['spec.containers.0.lifecycle', { preStop: {} }, ['Required spec.containers[0].lifecycle.preStop']],
  [
    'spec.containers.0.lifecycle',
    { postStart: { exec: {} } },
    ['Required spec.containers[0].lifecycle.postStart.exec.command'],
  ],
  [
    'spec.containers.0.lifecycle',
    { preStop: { sleep: { seconds: -1 } } },
    ['Invalid spec.containers[0].lifecycle.preStop.sleep'],
  ],
  [
    'spec.containers.0.lifecycle',
    { preStop: { sleep: { seconds: 40 } } },
    ['Invalid spec.containers[0].lifecycle.preStop.sleep'],
  ],
  [
    'spec.containers.0.lifecycle',
    { preStop: { exec: { command: ['a'] }, httpGet: { port: 1 } } },
    ['Forbidden spec.containers[0].lifecycle.preStop.httpGet'],
  ],
  [
    'spec.containers.0.lifecycle',
    { postStart: { tcpSocket: { port: 0 } } },
    ['Invalid spec.containers[0].lifecycle.postStart.tcpSocket.port'],
  ],
]);
