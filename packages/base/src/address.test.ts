import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dialRefusal, kindOfAddress, parseAddress, parseHostAddress } from './address.ts';

test('one form of every address', () => {
  for (const [text, expected] of [
    ['127.0.0.1', '127.0.0.1'],
    ['::FFFF:127.0.0.1', '127.0.0.1'],
    ['0:0:0:0:0:ffff:7f00:1', '127.0.0.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
  ] as const)
    assert.equal(parseAddress(text)?.text, expected, text);
  for (const text of [
    '',
    'localhost',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '01.2.3.4',
    'fe80::1%eth0',
    '10.0.0.0/8',
    '1.2.3.4 ',
    '[::1]',
  ])
    assert.equal(parseAddress(text), undefined, text);
});

test('hosts are read as resolvers read them', () => {
  for (const text of [
    ...['127.0.0.1', '2130706433', '0177.0.0.1', '0x7f.1', '127.1', '127.0.1', '0x7f000001', '017700000001'],
    ...['127.0.0.1.', '[::ffff:7f00:1]', '0:0:0:0:0:ffff:7f00:1', '::ffff:127.0.0.1'],
  ])
    assert.equal(parseHostAddress(text)?.text, '127.0.0.1', text);
  assert.equal(parseHostAddress('[fe80::1%25eth0]')?.text, 'fe80::1');
  for (const text of [
    '',
    'localhost',
    'a.b',
    '1.2.3.4.5',
    '256.1.1.1',
    '0x',
    '08.1.1.1',
    '4294967296',
    'fe80',
    '1..2',
  ])
    assert.equal(parseHostAddress(text), undefined, text);
});

test('what the resolver of this machine takes for an address is one here, and the same', async () => {
  const number = fc.oneof(
    fc.nat(300).map(String),
    fc.nat(300).map((n) => `0${n.toString(8)}`),
    fc.nat(300).map((n) => `0x${n.toString(16)}`),
    fc.nat(2 ** 32 - 1).map(String),
  );
  const host = fc.array(number, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  await fc.assert(
    fc.asyncProperty(host, async (text) => {
      const ours = parseHostAddress(text)?.text;
      // Texts that are no address would go to a DNS server.
      if (ours === undefined) return;
      assert.equal((await lookup(text, { family: 4 })).address, ours);
      assert.equal(isIP(ours), 4);
    }),
    { numRuns: 300 },
  );
});

test('kinds', () => {
  for (const [text, kind] of [
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['::', 'unspecified'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['169.254.169.254', 'link-local'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['fd00:ec2::254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['ff02::1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['10.0.0.1', 'global'],
    ['192.0.2.1', 'global'],
    ['fec0::1', 'global'],
    ['fd00::1', 'global'],
    ['2001:db8::1', 'global'],
  ] as const) {
    const address = parseAddress(text);
    assert.ok(address !== undefined);
    assert.equal(kindOfAddress(address), kind, text);
  }
});

test('who may be dialled', () => {
  const refusal = (text: string, policy = {}): string | undefined => {
    const address = parseHostAddress(text);
    assert.ok(address !== undefined);
    return dialRefusal(address, policy);
  };
  assert.equal(refusal('10.1.2.3'), undefined);
  assert.equal(refusal('127.1'), '127.0.0.1 is a loopback address');
  assert.equal(refusal('0'), '0.0.0.0 is an unspecified address');
  assert.equal(refusal('127.1', { allow: ['127.0.0.1/32'] }), undefined);
  assert.match(refusal('127.0.0.2', { allow: ['127.0.0.1/32'] }) ?? '', /loopback/);
  assert.match(refusal('10.1.2.3', { refuse: ['10.1.2.3/32'] }) ?? '', /the node itself/);
});
