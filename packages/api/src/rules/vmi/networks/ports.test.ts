import assert from 'node:assert/strict';
import { test } from 'node:test';
import { specFields, withDevices, withGates } from '../../../testing/spec-fields.ts';
import type { Interface, Network } from '../../../types/index.ts';

const NIC = 'spec.domain.devices.interfaces[0]';
const RANGES = withGates('PortRangesSpec');
const range = (start: number, end: number, protocol = 'TCP') => ({ start, end, protocol });

function fields(nic: Partial<Interface>, configuration = {}, network: Partial<Network> = { pod: {} }) {
  const interfaces = [{ name: 'default', masquerade: {}, ...nic }];
  return specFields(
    withDevices({ interfaces }, { networks: [{ name: 'default', ...network }] }),
    configuration,
  );
}

const ports: readonly [number, readonly string[]][] = [
  [1, []],
  [65_535, []],
  [65_536, [`${NIC}.ports[0].port`]],
  [0, [`${NIC}.ports[0].port`]],
  [-1, [`${NIC}.ports[0].port`]],
];

for (const [port, expected] of ports) {
  test(`port ${port}`, () => assert.deepEqual(fields({ ports: [{ port }] }), expected));
}

const ranges: readonly [string, Partial<Interface>, readonly string[]][] = [
  ['one', { portRanges: [range(1, 65_535)] }, []],
  ['neighbours', { portRanges: [range(1, 10), range(11, 20)] }, []],
  ['two that overlap', { portRanges: [range(5, 20), range(1, 10)] }, [`${NIC}.portRanges`]],
  ['two protocols', { portRanges: [range(1, 10), range(1, 10, 'UDP')] }, []],
  ['no protocol of ours', { portRanges: [range(1, 10, 'SCTP')] }, [`${NIC}.portRanges[0].protocol`]],
  ['only the first fault of one', { portRanges: [range(0, 0)] }, [`${NIC}.portRanges[0].start`]],
  ['end before start', { portRanges: [range(2, 1)] }, [`${NIC}.portRanges[0].start`]],
  [
    'a faulty one overlaps with none',
    { portRanges: [range(2, 1), range(1, 3)] },
    [`${NIC}.portRanges[0].start`],
  ],
  ['beside ports', { portRanges: [range(1, 2)], ports: [{ port: 5 }] }, [`${NIC}.name`]],
  ['eleven', { portRanges: Array.from({ length: 11 }, () => range(0, 0)) }, [`${NIC}.portRanges`]],
];

for (const [name, nic, expected] of ranges) {
  test(`port ranges: ${name}`, () => assert.deepEqual(fields(nic, RANGES), expected));
}

test('port ranges need their gate, and mean nothing off the Pod network', () => {
  const portRanges = [range(2, 1)];
  assert.deepEqual(fields({ portRanges }), [`${NIC}.name`]);
  const bridged = { portRanges, bridge: {}, masquerade: undefined };
  assert.deepEqual(fields(bridged, RANGES, { multus: { networkName: 'net' } }), []);
});
