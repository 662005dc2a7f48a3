/** What Kubernetes refuses of a Pod's security contexts: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('security contexts', [
  [
    'spec.containers.0.securityContext',
    { privileged: true, allowPrivilegeEscalation: false },
    ['Invalid spec.containers[0].securityContext'],
  ],
  [
    'spec.containers.0.securityContext',
    { runAsUser: -1 },
    ['Invalid spec.containers[0].securityContext.runAsUser'],
  ],
  [
    'spec.containers.0.securityContext',
    { runAsGroup: -1 },
    ['Invalid spec.containers[0].securityContext.runAsGroup'],
  ],
  [
    'spec.containers.0.securityContext',
    { procMount: 'Foo' },
    ['NotSupported spec.containers[0].securityContext.procMount'],
  ],
  [
    'spec.containers.0.securityContext',
    { procMount: 'Unmasked' },
    ['Invalid spec.containers[0].securityContext.procMount'],
  ],
  [
    'spec.containers.0.securityContext',
    { allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } },
    ['Invalid spec.containers[0].securityContext'],
  ],
  [
    'spec.containers.0.securityContext',
    { seccompProfile: { type: 'Foo' } },
    ['NotSupported spec.containers[0].securityContext.seccompProfile.type'],
  ],
  [
    'spec.containers.0.securityContext',
    { seccompProfile: { type: 'Localhost' } },
    ['Required spec.containers[0].securityContext.seccompProfile.localhostProfile'],
  ],
  [
    'spec.containers.0.securityContext',
    { seccompProfile: {} },
    ['Required spec.containers[0].securityContext.seccompProfile.type'],
  ],
  [
    'spec.containers.0.securityContext',
    { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'x' } },
    ['Invalid spec.containers[0].securityContext.seccompProfile.localhostProfile'],
  ],
  [
    'spec.containers.0.securityContext',
    { seccompProfile: { type: 'Localhost', localhostProfile: '../x' } },
    ['Invalid spec.containers[0].securityContext.seccompProfile.localhostProfile'],
  ],
  [
    'spec.containers.0.securityContext',
    { appArmorProfile: { type: 'Localhost' } },
    ['Required spec.containers[0].securityContext.appArmorProfile.localhostProfile'],
  ],
  [
    'spec.containers.0.securityContext',
    { appArmorProfile: { type: 'Foo' } },
    ['NotSupported spec.containers[0].securityContext.appArmorProfile.type'],
  ],
  [
    'spec.containers.0.securityContext',
    { appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } },
    ['Invalid spec.containers[0].securityContext.appArmorProfile.localhostProfile'],
  ],
  ['spec.securityContext', { runAsUser: -1 }, ['Invalid spec.securityContext.runAsUser']],
  ['spec.securityContext', { fsGroup: -1 }, ['Invalid spec.securityContext.fsGroup']],
  [
    'spec.securityContext',
    { supplementalGroups: [-1] },
    ['Invalid spec.securityContext.supplementalGroups[0]'],
  ],
  [
    'spec.securityContext',
    { fsGroupChangePolicy: 'Foo' },
    ['NotSupported spec.securityContext.fsGroupChangePolicy'],
  ],
  [
    'spec.securityContext',
    { supplementalGroupsPolicy: 'Foo' },
    ['NotSupported spec.securityContext.supplementalGroupsPolicy'],
  ],
  [
    'spec.securityContext',
    { sysctls: [{ name: 'a b', value: '1' }] },
    ['Invalid spec.securityContext.sysctls[0].name'],
  ],
  [
    'spec.securityContext',
    { sysctls: [{ name: '', value: '1' }] },
    ['Required spec.securityContext.sysctls[0].name'],
  ],
  [
    'spec.securityContext',
    {
      sysctls: [
        { name: 'a.b', value: '1' },
        { name: 'a.b', value: '2' },
      ],
    },
    ['Duplicate spec.securityContext.sysctls[1].name'],
  ],
  [
    'spec.securityContext',
    { seccompProfile: { type: 'Foo' } },
    ['NotSupported spec.securityContext.seccompProfile.type'],
  ],
  [
    'spec.securityContext',
    { seLinuxChangePolicy: 'Foo' },
    ['NotSupported spec.securityContext.seLinuxChangePolicy'],
  ],
]);
