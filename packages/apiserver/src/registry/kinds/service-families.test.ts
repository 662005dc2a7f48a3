import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../wire/json.ts';
import { type FamilyName, familyErrors, fillFamilies, releaseSecond } from './service-families.ts';

const BOTH: readonly FamilyName[] = ['IPv4', 'IPv6'];
const SIX_FIRST: readonly FamilyName[] = ['IPv6', 'IPv4'];
const FOUR: readonly FamilyName[] = ['IPv4'];
const selector = { app: 'x' };

const filled: readonly (readonly [string, JsonObject, readonly FamilyName[], string, readonly string[]])[] = [
  ['nothing said', {}, BOTH, 'SingleStack', ['IPv4']],
  ['nothing said, IPv6 first', {}, SIX_FIRST, 'SingleStack', ['IPv6']],
  ['a family', { ipFamilies: ['IPv6'] }, BOTH, 'SingleStack', ['IPv6']],
  ['an address', { clusterIP: 'fd00::1' }, BOTH, 'SingleStack', ['IPv6']],
  ['both preferred', { ipFamilyPolicy: 'PreferDualStack' }, BOTH, 'PreferDualStack', ['IPv4', 'IPv6']],
  ['both preferred, one there', { ipFamilyPolicy: 'PreferDualStack' }, FOUR, 'PreferDualStack', ['IPv4']],
  [
    'both, IPv6 first',
    { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] },
    BOTH,
    'RequireDualStack',
    ['IPv6', 'IPv4'],
  ],
  [
    'an address of each',
    { ipFamilyPolicy: 'PreferDualStack', clusterIP: 'fd00::1', clusterIPs: ['fd00::1', '10.0.0.1'] },
    BOTH,
    'PreferDualStack',
    ['IPv6', 'IPv4'],
  ],
  ['headless', { clusterIP: 'None', selector }, BOTH, 'SingleStack', ['IPv4']],
  ['headless, no selector', { clusterIP: 'None' }, FOUR, 'RequireDualStack', ['IPv4', 'IPv6']],
];
for (const [name, spec, cluster, policy, families] of filled)
  test(`families: ${name}`, () => {
    const copy = { ...spec };
    assert.deepEqual(fillFamilies(copy, cluster), families);
    assert.equal(copy['ipFamilyPolicy'], policy);
    assert.deepEqual(familyErrors(copy, cluster), []);
  });

const refused: readonly (readonly [string, JsonObject, readonly FamilyName[], RegExp])[] = [
  ['two without a policy', { ipFamilies: ['IPv4', 'IPv6'] }, BOTH, /when multiple IP families are specified/],
  [
    'two addresses for one',
    { ipFamilyPolicy: 'SingleStack', clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4'] },
    BOTH,
    /when multiple cluster IPs are specified/,
  ],
  ['required, one there', { ipFamilyPolicy: 'RequireDualStack' }, FOUR, /not configured for dual-stack/],
  ['a family that is not there', { ipFamilies: ['IPv6'] }, FOUR, /not configured on this cluster/],
  ['the same twice', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv4'] }, BOTH, /Duplicate/],
  ['no such family', { ipFamilies: ['IPX'] }, BOTH, /Unsupported value/],
  ['no such policy', { ipFamilyPolicy: 'Both' }, BOTH, /Unsupported value/],
  [
    'an address of another family',
    { ipFamilies: ['IPv6'], clusterIPs: ['10.0.0.1'] },
    BOTH,
    /expected an IPv6 value as indicated by `ipFamilies\[0\]`/,
  ],
];
for (const [name, spec, cluster, message] of refused)
  test(`refused: ${name}`, () => {
    const copy = { selector, ...spec };
    fillFamilies(copy, cluster);
    assert.match(JSON.stringify(familyErrors(copy, cluster)), message);
  });

test('SingleStack lets go of the second family, and keeps one that is named anew', () => {
  const before = { clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4', 'IPv6'] };
  const spec: JsonObject = { ...before, ipFamilyPolicy: 'SingleStack' };
  releaseSecond(spec, before);
  assert.deepEqual(spec, { clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  const dual: JsonObject = { ...before, ipFamilyPolicy: 'PreferDualStack' };
  releaseSecond(dual, before);
  assert.deepEqual(dual['clusterIPs'], before.clusterIPs);
});
