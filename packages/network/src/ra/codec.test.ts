import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RouterAdvertisementConfig } from '@podvisor/api';
import { encodeAdvertisement, isSolicitationOf, ROUTER_SOLICITATION } from './codec.ts';

const MAC = '0a:58:0a:f4:00:05';
const config: RouterAdvertisementConfig = {
  prefix: 'fd10:0:2::/120',
  routerMac: '02:00:00:00:00:00',
  mtu: 1450,
  dnsServers: ['fd00:96::a'],
  searchDomains: ['shop.svc.cluster.local', 'cluster.local'],
};

/** Type → body of each option. */
function optionsOf(message: Uint8Array): Map<number, Uint8Array> {
  const options = new Map<number, Uint8Array>();
  for (let at = 16; at < message.length; at += (message[at + 1] ?? 0) * 8)
    options.set(message[at] ?? 0, message.subarray(at + 2, at + (message[at + 1] ?? 0) * 8));
  return options;
}

test('an advertisement says: ask DHCPv6 for addresses, and I am the way out', () => {
  const message = encodeAdvertisement(config);
  assert.equal(message[0], 134);
  assert.equal(message[5], 0xc0, 'managed, other');
  assert.equal(((message[6] ?? 0) << 8) | (message[7] ?? 0), 9000);
  assert.equal(message.length % 8, 0);
  const options = optionsOf(message);
  assert.deepEqual([...(options.get(1) ?? [])], [2, 0, 0, 0, 0, 0]);
  assert.deepEqual([...(options.get(5) ?? [])].slice(2), [0, 0, 5, 170]);
  assert.deepEqual([...(options.get(3) ?? [])].slice(0, 2), [120, 0x80], 'on link, not autonomous');
  assert.equal(options.get(25)?.length, 6 + 16);
  const search = Buffer.from(options.get(31) ?? []).toString('latin1');
  assert.ok(search.includes('\x04shop\x03svc\x07cluster\x05local\0'));
  assert.deepEqual([...encodeAdvertisement(config, true).subarray(6, 8)], [0, 0], 'goodbye');
});

test('addresses may be made in a prefix of 64 bits only', () => {
  const flags = (prefix: string): number | undefined =>
    optionsOf(encodeAdvertisement({ ...config, prefix })).get(3)?.[1];
  assert.equal(flags('fd10:0:2::/64'), 0xc0);
  assert.equal(flags('fd10:0:2::/96'), 0x80);
});

test('without IPv6 name servers and domains their options are left out', () => {
  const options = optionsOf(encodeAdvertisement({ ...config, dnsServers: [], searchDomains: [] }));
  assert.deepEqual([...options.keys()], [1, 5, 3]);
});

test('only solicitations of the guest are heard', () => {
  const head = [ROUTER_SOLICITATION, 0, 0, 0, 0, 0, 0, 0];
  const mac = MAC.split(':').map((part) => Number.parseInt(part, 16));
  const cases: readonly [string, number[], boolean][] = [
    ['without any address yet', head, true],
    ['with its MAC address', [...head, 1, 1, ...mac], true],
    ['of another MAC address', [...head, 1, 1, 2, 2, 2, 2, 2, 2], false],
    ['an option of length 0', [...head, 1, 0, ...mac], false],
    ['an option cut short', [...head, 1, 2, ...mac], false],
    ['cut short', head.slice(0, 7), false],
    ['an advertisement', [134, ...head.slice(1)], false],
    ['another code', [133, 1, ...head.slice(2)], false],
  ];
  for (const [what, bytes, expected] of cases)
    assert.equal(isSolicitationOf(Uint8Array.from(bytes), MAC), expected, what);
});

test('any bytes are read without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      if (bytes.length > 1) [bytes[0], bytes[1]] = [ROUTER_SOLICITATION, 0];
      isSolicitationOf(bytes, MAC);
    }),
  );
});
