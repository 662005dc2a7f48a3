import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../config/cluster-config.ts';
import type { VMISpec } from '../types/index.ts';
import { runRules } from './rule.ts';
import { draRules } from './vmi/dra.ts';

const claimed = (name: string, claimName?: string, requestName?: string) => ({
  name,
  claimName,
  requestName,
});
const claims = [{ name: 'c', resourceClaimName: 'mine' }];

function fieldsOf(
  devices: object,
  { off = [], more = {} }: { off?: readonly string[]; more?: object } = {},
): readonly string[] {
  const developerConfiguration = { disabledFeatureGates: off };
  const config = clusterConfig({ spec: { configuration: { developerConfiguration } } });
  const spec = { domain: { devices }, resourceClaims: claims, ...more } as VMISpec;
  return runRules(draRules, spec, { config, path: 'spec' }).map(({ field }) => field);
}

test('GPUs come from a device plugin or from claims, not from both; other devices may', () => {
  const both = [{ name: 'a', deviceName: 'vendor.com/gpu' }, claimed('b', 'c', 'r')];
  assert.deepEqual(fieldsOf({ gpus: both }), ['spec.domain.devices.gpus']);
  assert.deepEqual(fieldsOf({ hostDevices: both }), []);
});

test('a claim without a request is no reference yet', () => {
  assert.deepEqual(fieldsOf({ gpus: [claimed('a', 'undeclared')] }), [
    'spec.domain.devices.gpus[0].requestName',
  ]);
});

test('what a gate forbids is not compared', () => {
  const devices = { gpus: [claimed('a', 'c', 'r')], hostDevices: [claimed('b', 'c', 'r')] };
  assert.deepEqual(fieldsOf(devices), ['spec.domain.devices.hostDevices[0]']);
  assert.deepEqual(fieldsOf(devices, { off: ['GPUsWithDRA'] }), ['spec.domain.devices.gpus']);
  const networks = [{ name: 'n', resourceClaim: { claimName: 'c', requestName: 'r' } }];
  assert.deepEqual(fieldsOf({ gpus: [claimed('a', 'c', 'r')] }, { more: { networks } }), []);
});

const named: readonly [string, object, readonly string[]][] = [
  ['a label', { name: 'my-claim' }, []],
  ['no name', { name: '' }, ['spec.resourceClaims[0].name']],
  ['dots', { name: 'my.claim' }, ['spec.resourceClaims[0].name']],
  ['capitals', { name: 'Claim' }, ['spec.resourceClaims[0].name']],
  ['two sources', { name: 'a', resourceClaimTemplateName: 't' }, ['spec.resourceClaims[0]']],
  ['no source', { name: 'a', resourceClaimName: undefined }, ['spec.resourceClaims[0]']],
  [
    'a source that is no name',
    { name: 'a', resourceClaimName: 'A' },
    ['spec.resourceClaims[0].resourceClaimName'],
  ],
];

for (const [name, claim, expected] of named) {
  test(`resource claims: ${name}`, () => {
    const resourceClaims = [{ resourceClaimName: 'mine', ...claim }];
    assert.deepEqual(fieldsOf({}, { more: { resourceClaims } }), expected);
  });
}

test('one request of two devices is told once for each later device', () => {
  const gpus = [claimed('a', 'c', 'r')];
  const hostDevices = [claimed('b', 'c', 'r'), claimed('d', 'other', 'r')];
  assert.deepEqual(fieldsOf({ gpus, hostDevices }), [
    'spec.domain.devices.hostDevices[0]',
    'spec.resourceClaims',
  ]);
});
