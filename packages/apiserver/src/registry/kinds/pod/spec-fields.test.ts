/** What Kubernetes refuses of a Pod's single fields: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('single fields', [
  ['spec.restartPolicy', 'Foo', ['NotSupported spec.restartPolicy']],
  ['spec.dnsPolicy', 'Foo', ['NotSupported spec.dnsPolicy']],
  ['spec.dnsPolicy', 'None', ['Required spec.dnsConfig']],
  ['spec.dnsConfig', { nameservers: ['a'] }, ['Invalid spec.dnsConfig.nameservers[0]']],
  [
    'spec.dnsConfig',
    { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] },
    ['Invalid spec.dnsConfig.nameservers'],
  ],
  ['spec.dnsConfig', { searches: ['a b'] }, ['Invalid spec.dnsConfig.searches[0]']],
  ['spec.dnsConfig', { options: [{ name: '' }] }, ['Required spec.dnsConfig.options[0]']],
  ['spec.activeDeadlineSeconds', 0, ['Invalid spec.activeDeadlineSeconds']],
  ['spec.activeDeadlineSeconds', -1, ['Invalid spec.activeDeadlineSeconds']],
  ['spec.nodeName', 'A', ['Invalid spec.nodeName']],
  ['spec.nodeSelector', { 'a b': 'c' }, ['Invalid spec.nodeSelector']],
  ['spec.nodeSelector', { a: 'b c' }, ['Invalid spec.nodeSelector']],
  ['spec.hostname', 'a.b', ['Invalid spec.hostname']],
  ['spec.hostname', 'A', ['Invalid spec.hostname']],
  ['spec.subdomain', 'a.b', ['Invalid spec.subdomain']],
  ['spec.hostAliases', [{ ip: 'x' }], ['Invalid spec.hostAliases[0].ip']],
  ['spec.hostAliases', [{ ip: '1.2.3.4', hostnames: ['A_b'] }], ['Invalid spec.hostAliases[0].hostnames[0]']],
  ['spec.readinessGates', [{ conditionType: 'a b' }], ['Invalid spec.readinessGates[0].conditionType']],
  ['spec.os', { name: 'foo' }, ['NotSupported spec.os']],
  ['spec.os', {}, ['Required spec.os.name']],
  ['spec.schedulingGates', [{ name: 'a b' }], ['Invalid spec.schedulingGates[0]']],
  ['spec.schedulingGates', [{}], ['Invalid spec.schedulingGates[0]', 'Invalid spec.schedulingGates[0]']],
  ['spec.resourceClaims', [{ name: 'a' }], ['Invalid spec.resourceClaims[0]']],
  [
    'spec.resourceClaims',
    [{ name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }],
    ['Invalid spec.resourceClaims[0]'],
  ],
]);
