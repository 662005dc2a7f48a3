import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubernetesObject, serviceAccounts } from '@podvisor/api';
import { type PolicyRule, rule } from '../install/component-rights.ts';
import type { Manifest } from '../install/manifest.ts';
import { nameOf } from '../install/ownership.ts';
import { overlapping } from './overlap.ts';

function between(wanted: Manifest, live: KubernetesObject | undefined): Readonly<Record<string, unknown>> {
  const found = new Map(live === undefined ? [] : [[nameOf(live), live]]);
  return { ...overlapping([wanted], found)[0] };
}

const hooks = (...webhooks: readonly object[]): Manifest => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'virt-api-validator' },
  webhooks,
});
const hook = (name: string, path: string, caBundle: string): object => ({
  name,
  clientConfig: { service: { path }, caBundle },
});

test('while virt-api may be of either version it is asked for what the old one answers, and known by the newest CA', () => {
  const wanted = hooks(hook('vm', '/v2', 'new'), hook('added', '/added', 'new'));
  const live = hooks(hook('vm', '/v1', 'old'), hook('dropped', '/dropped', 'old'));
  assert.deepEqual(between(wanted, live)['webhooks'], [
    hook('vm', '/v1', 'new'),
    hook('dropped', '/dropped', 'new'),
  ]);
  assert.deepEqual(
    between(wanted, undefined)['webhooks'],
    wanted['webhooks'],
    'an installation has them at once',
  );
});

const role = (name: string, ...rules: readonly PolicyRule[]): Manifest => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});

test('a component keeps the rights of the old version, as far as virt-operator may grant them', () => {
  const wanted = role(serviceAccounts.handler, rule('', ['nodes'], ['get']));
  const live = role(
    serviceAccounts.handler,
    rule('', ['nodes'], ['get', 'patch']),
    rule('', ['secrets'], ['get']),
    { ...rule('', ['pods'], ['get']), resourceNames: ['one'] },
  );
  assert.deepEqual(between(wanted, live)['rules'], [
    rule('', ['nodes'], ['get']),
    rule('', ['nodes'], ['patch']),
  ]);
  assert.deepEqual(between(wanted, wanted)['rules'], wanted['rules']);
  const patched = { ...wanted, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] };
  assert.deepEqual(between(patched, wanted)['rules'], [...patched.rules, rule('', ['nodes'], ['get'])]);
});

test('what users may do is that of the new version at once', () => {
  const wanted = role('kubevirt.io:view', rule('', ['nodes'], ['get']));
  const live = role('kubevirt.io:view', rule('', ['nodes'], ['get', 'patch']));
  assert.deepEqual(between(wanted, live)['rules'], wanted['rules']);
});
