import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lease, MigrationState } from '@podvisor/api';
import { targetPlace } from './target-place.ts';

const leaseOf = (annotations: Record<string, string>, holderIdentity = 'n2'): Lease => ({
  metadata: { namespace: 'kubevirt', name: 'virt-handler-n2', annotations },
  spec: { holderIdentity },
});
const state = (
  targetNodeAddress: string,
  ports: Record<string, number> = { '4000': 49152 },
): MigrationState => ({
  targetNode: 'n2',
  targetNodeAddress,
  targetDirectMigrationNodePorts: ports,
});
const endpoint = { 'podvisor.io/endpoint': 'https://10.0.0.2:8186' };

test('the address of the status is dialled when virt-handler of that node is there', () => {
  assert.equal(targetPlace(state('10.0.0.2'), leaseOf(endpoint)).address, '10.0.0.2');
  const network = { ...endpoint, 'podvisor.io/migration-address': '192.168.7.2' };
  assert.equal(targetPlace(state('192.168.7.2'), leaseOf(network)).address, '192.168.7.2');
  const v6 = { 'podvisor.io/endpoint': 'https://[fd00::2]:8186' };
  assert.equal(targetPlace(state('fd00:0::0:2'), leaseOf(v6)).address, 'fd00:0::0:2');
});

const refused: readonly [string, MigrationState, Lease | undefined][] = [
  ['another address', state('127.0.0.1'), leaseOf(endpoint)],
  ['a name', state('localhost'), leaseOf({ 'podvisor.io/endpoint': 'https://localhost:1' })],
  ['an address in another notation', state('0x0a000002'), leaseOf(endpoint)],
  [
    'the endpoint where there is a migration network',
    state('10.0.0.2'),
    leaseOf({ ...endpoint, 'podvisor.io/migration-address': '192.168.7.2' }),
  ],
  ['no Lease', state('10.0.0.2'), undefined],
  ['the Lease of another node', state('10.0.0.2'), leaseOf(endpoint, 'n3')],
  ['a Lease without an address', state('10.0.0.2'), leaseOf({})],
  ['no address', { ...state(''), targetNode: 'n2' }, leaseOf(endpoint)],
  ['no node', { targetNodeAddress: '10.0.0.2' }, leaseOf(endpoint, '')],
];
for (const [why, claimed, lease] of refused)
  test(`nothing is sent to what a status claims: ${why}`, () =>
    assert.throws(() => targetPlace(claimed, lease), /no Lease|is said to be at/));

test('ports are ports, for channels that there are', () => {
  const ports = { '4000': 49152, '0': 0, '70000': 49153, '80/..': 0, '4001': 7 };
  assert.deepEqual([...targetPlace(state('10.0.0.2', ports), leaseOf(endpoint)).ports], [[49152, 4000]]);
});
