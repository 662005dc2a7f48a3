import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { addressIn, hostPrefix, ipFamily, ipText, ipValue, isInPrefix, urlHost } from './ip.ts';

test('what is an address, as Node sees it', () => {
  const texts = [
    '1.2.3.4',
    '1.2.3',
    '256.1.1.1',
    '::',
    '::1',
    'fd00:244::/64',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '1:2:3:4:5:6:7:8::',
    '::1::',
    ':1',
    '1:',
    '12345::',
    '::ffff:1.2.3.4',
    '::ffff:1.2.3',
    '1.2.3.4::',
    'g::',
    '',
  ];
  for (const text of texts) {
    const address = text.split('/')[0] ?? '';
    const expected = isIP(address) === 0 || address.includes('%') ? undefined : isIP(address);
    assert.equal(ipFamily(text), expected, text);
  }
});

test('addresses in prefixes', () => {
  assert.deepEqual(addressIn('10.0.2.7/24', 1), { address: '10.0.2.1', prefixLength: 24 });
  assert.deepEqual(addressIn('fd00:244::/64', 0x10), { address: 'fd00:244::10', prefixLength: 64 });
  assert.equal(addressIn('fd00:1:2:3::/64', 1n << 48n).address, 'fd00:1:2:3:1::');
  assert.throws(() => addressIn('fd00::', 1), /not a network prefix/);
  assert.throws(() => addressIn('10.0.0.0/33', 1), /not a network prefix/);
  const cases: readonly [string, string, boolean][] = [
    ['10.1.2.3', '10.1.0.0/16', true],
    ['10.2.2.3', '10.1.0.0/16', false],
    ['255.255.255.255', '0.0.0.0/0', true],
    ['fd00:244::5', 'fd00:244::/80', true],
    ['fd00:244:0:0:1::5', 'fd00:244::/80', false],
    ['10.1.2.3', 'fd00::/8', false],
    ['nonsense', '10.0.0.0/8', false],
  ];
  for (const [address, cidr, expected] of cases)
    assert.equal(isInPrefix(address, cidr), expected, `${address} in ${cidr}`);
});

test('text and number are inverse', () => {
  for (const text of ['0.0.0.0', '10.0.2.255', '::', '::1', 'fd00:244::fffe:0:1', '1:0:0:2::3', '1::'])
    assert.equal(ipText(ipFamily(text) ?? 4, ipValue(text)), text);
});

test('an address before a port, and as a prefix', () => {
  assert.deepEqual(['10.0.0.1', 'fd00::1'].map(urlHost), ['10.0.0.1', '[fd00::1]']);
  assert.deepEqual(['10.0.0.1', 'fd00::1'].map(hostPrefix), ['10.0.0.1/32', 'fd00::1/128']);
});
