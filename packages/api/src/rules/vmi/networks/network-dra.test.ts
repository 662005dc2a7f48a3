import assert from 'node:assert/strict';
import { test } from 'node:test';
import { specFields, withDevices, withGates } from '../../../testing/spec-fields.ts';
import type { Interface, Network } from '../../../types/index.ts';

const GATE = withGates('NetworkDevicesWithDRA');
const claim = { claimName: 'c', requestName: 'r' };
const resourceClaims = [{ name: 'c', resourceClaimName: 'mine' }];

function fields(networks: readonly Network[], interfaces: readonly Interface[], configuration = GATE) {
  return specFields(withDevices({ interfaces }, { networks, resourceClaims }), configuration);
}

const nic = (name: string, binding: Partial<Interface> = { sriov: {} }): Interface => ({ name, ...binding });
const DEVICE = { name: 'a', resourceClaim: claim };

const cases: readonly [string, readonly Network[], readonly Interface[], readonly string[]][] = [
  ['a virtual function', [DEVICE], [nic('a')], []],
  ['beside the Pod network', [{ name: 'p', pod: {} }, DEVICE], [nic('p', { masquerade: {} }), nic('a')], []],
  ['bridged', [DEVICE], [nic('a', { bridge: {} })], ['spec.domain.devices.interfaces']],
  [
    'beside Multus, nothing else is told',
    [
      { name: 'a', resourceClaim: {} },
      { name: 'm', multus: { networkName: 'n' } },
    ],
    [nic('a'), nic('m', { bridge: {} })],
    ['spec.networks'],
  ],
  [
    'Multus and a claim at once',
    [{ name: 'a', resourceClaim: claim, multus: { networkName: 'n' } }],
    [nic('a')],
    ['spec.networks[0]', 'spec.networks'],
  ],
  [
    'Pod and a claim at once',
    [{ name: 'a', resourceClaim: claim, pod: {} }],
    [nic('a')],
    ['spec.networks[0]'],
  ],
  [
    'half a claim',
    [{ name: 'a', resourceClaim: { claimName: 'c' } }],
    [nic('a')],
    ['spec.networks[0].resourceClaim.requestName'],
  ],
  [
    'a claim that is not declared',
    [{ name: 'a', resourceClaim: { claimName: 'other', requestName: 'r' } }],
    [nic('a')],
    ['spec.networks[0].resourceClaim.claimName'],
  ],
  [
    'one request for two networks',
    [DEVICE, { ...DEVICE, name: 'b' }],
    [nic('a'), nic('b')],
    ['spec.networks[1]'],
  ],
];

for (const [name, networks, interfaces, expected] of cases) {
  test(`networks from claims: ${name}`, () => assert.deepEqual(fields(networks, interfaces), expected));
}

test('networks from claims: the gate is off', () => {
  assert.deepEqual(fields([DEVICE], [nic('a')], {}), ['spec.networks']);
});
