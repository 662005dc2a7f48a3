import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultAdmission, parseAdmissionConfiguration } from './configuration.ts';

const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';

test('both plugins are set up by one file, in the form that Kubernetes has', () => {
  const { podSecurity, externalIpCidrs } = parseAdmissionConfiguration(`${header}plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {enforce: baseline, enforce-version: v1.30}
    exemptions: {usernames: [ci], namespaces: [infra], runtimeClasses: [kata]}
- name: DenyServiceExternalIPs
  configuration: {allowedCIDRs: [192.0.2.0/24, "2001:db8::/64"]}
`);
  assert.deepEqual(podSecurity.defaults.enforce, { level: 'baseline', version: 30 });
  assert.deepEqual(podSecurity.exemptions, {
    namespaces: ['kubevirt', 'infra'],
    usernames: ['ci'],
    runtimeClasses: ['kata'],
  });
  assert.deepEqual(externalIpCidrs, ['192.0.2.0/24', '2001:db8::/64']);
});

test('without plugins everything is as without a file', () => {
  assert.deepEqual(parseAdmissionConfiguration(header), defaultAdmission);
});

const wrong: readonly (readonly [string, string, RegExp])[] = [
  ['another kind', 'kind: Policy\n', /kind AdmissionConfiguration/],
  [
    'a plugin that does nothing here',
    `${header}plugins: [{name: ImagePolicyWebhook}]\n`,
    /ImagePolicyWebhook/,
  ],
  [
    'a level that does not exist',
    `${header}plugins: [{name: PodSecurity, configuration: {defaults: {enforce: tight}}}]\n`,
    /must be one of privileged, baseline, restricted/,
  ],
  [
    'an address for a range',
    `${header}plugins: [{name: DenyServiceExternalIPs, configuration: {allowedCIDRs: [192.0.2.1]}}]\n`,
    /"192\.0\.2\.1" is not a CIDR/,
  ],
];
for (const [name, text, expected] of wrong)
  test(`${name} is refused`, () => assert.throws(() => parseAdmissionConfiguration(text), expected));
