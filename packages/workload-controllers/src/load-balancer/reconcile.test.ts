import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from '@podvisor/api';
import { loadBalancerRanges } from '@podvisor/service-network';
import { decideAddresses } from './reconcile.ts';

const one = loadBalancerRanges({ podCidr: '10.244.0.0/16' });
const dual = loadBalancerRanges({ podCidr: '10.244.0.0/16', podCidr6: 'fd00:244::/64' });

const service = (spec: Service['spec'], ips: readonly string[] = []): Service => ({
  metadata: { namespace: 'default', name: 'web', uid: 'a' },
  spec: { type: 'LoadBalancer', ipFamilies: ['IPv4'], ...spec },
  status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
});
const all = (count: number): Set<string> =>
  new Set(Array.from({ length: count }, (_, index) => `10.244.112.${index + 1}`));
const set = (...addresses: string[]): object => ({ kind: 'set', addresses });

test('the ranges are documented parts of the Pod range', () => {
  assert.deepEqual(
    dual.map(({ cidr, first }) => [cidr, first]),
    [
      ['10.244.112.0/24', '10.244.112.1'],
      ['fd00:244:0:0:fffd::/112', 'fd00:244::fffd:0:0:1'],
    ],
  );
});

test('the lowest free address, of each family that the Service has', () => {
  assert.deepEqual(decideAddresses(service({}), all(2), one), set('10.244.112.3'));
  assert.deepEqual(
    decideAddresses(service({ ipFamilies: ['IPv6', 'IPv4'] }), all(1), dual),
    set('fd00:244::fffd:0:0:1', '10.244.112.2'),
  );
});

test('what it has stays, unless somebody else has it or it is not of the range', () => {
  assert.deepEqual(decideAddresses(service({}, ['10.244.112.9']), all(1), one), set('10.244.112.9'));
  assert.deepEqual(decideAddresses(service({}, ['10.244.112.1']), all(1), one), set('10.244.112.2'));
  assert.deepEqual(decideAddresses(service({}, ['192.0.2.1']), all(0), one), set('10.244.112.1'));
});

test('one may be asked for', () => {
  assert.deepEqual(
    decideAddresses(service({ loadBalancerIP: '10.244.112.77' }), all(1), one),
    set('10.244.112.77'),
  );
  for (const loadBalancerIP of ['10.244.112.1', '192.0.2.1', '10.244.96.1'])
    assert.equal(decideAddresses(service({ loadBalancerIP }), all(1), one).kind, 'refuse', loadBalancerIP);
});

test('none: other types, other classes, what cannot be kept, a range that is used up', () => {
  assert.deepEqual(decideAddresses(service({ type: 'ClusterIP' }, ['10.244.112.1']), all(0), one), set());
  assert.deepEqual(decideAddresses(service({ loadBalancerClass: 'x/y' }), all(0), one), { kind: 'leave' });
  const ranged = decideAddresses(service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }), all(0), one);
  assert.ok(ranged.kind === 'refuse' && ranged.reason === 'SourceRangesNotSupported');
  const full = decideAddresses(service({}), all(254), one);
  assert.ok(full.kind === 'refuse' && full.reason === 'AddressNotAvailable');
  assert.match(full.message, /254 addresses of 10\.244\.112\.0\/24/);
});
