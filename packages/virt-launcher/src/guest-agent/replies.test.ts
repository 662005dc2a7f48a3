import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as replies from './replies.ts';

test('reads honest replies', () => {
  assert.deepEqual(
    replies.parseInterfaces([
      { name: 'lo', 'hardware-address': '00:00:00:00:00:00' },
      {
        name: 'eth0',
        'hardware-address': '02:00:00:AA:BB:CC',
        'ip-addresses': [
          { 'ip-address': '10.0.2.2', 'ip-address-type': 'ipv4', prefix: 24 },
          { 'ip-address': 'fe80::1', 'ip-address-type': 'ipv6', prefix: 64 },
        ],
      },
    ]),
    [{ name: 'eth0', mac: '02:00:00:aa:bb:cc', ipAddresses: ['10.0.2.2', 'fe80::1'] }],
  );
  assert.equal(replies.parseOs({ id: 'debian', 'pretty-name': 'Debian 12' })?.prettyName, 'Debian 12');
  assert.equal(replies.parseTimezone({ zone: 'CET', offset: 3600 }), 'CET, 3600');
  assert.deepEqual(
    replies.parseInfo({
      version: '7.2',
      supported_commands: [
        { name: 'guest-ping', enabled: true },
        { name: 'off', enabled: false },
      ],
    }),
    {
      version: '7.2',
      commands: ['guest-ping'],
    },
  );
  assert.equal(replies.returnValue('{"return":"frozen"}'), 'frozen');
});

test('a hostile guest gets no more room than the caps', () => {
  const nic = {
    name: 'x'.repeat(10_000),
    'hardware-address': '02:00:00:aa:bb:cc',
    'ip-addresses': Array.from({ length: 5_000 }, () => ({ 'ip-address': '10.0.0.1' })),
  };
  const parsed = replies.parseInterfaces(Array.from({ length: 10_000 }, () => nic));
  assert.equal(parsed.length, replies.CAPS.interfaces);
  assert.equal(parsed[0]?.name.length, replies.CAPS.text);
  assert.equal(parsed[0]?.ipAddresses.length, replies.CAPS.addressesPerInterface);
  assert.equal(replies.returnValue(`"${'x'.repeat(replies.CAPS.replyBytes)}"`), undefined);
  assert.deepEqual(
    replies.parseInterfaces([{ ...nic, 'ip-addresses': [{ 'ip-address': '$(reboot)' }] }])[0]?.ipAddresses,
    [],
  );
});

test('addresses are values: one form of each, and none that leads to whoever dials it', () => {
  const reported = [
    ...[
      '127.0.0.1',
      '2130706433',
      '0177.0.0.1',
      '0:0:0:0:0:ffff:7f00:1',
      '::ffff:127.0.0.1',
      'localhost',
      '::1',
    ],
    ...['0.0.0.0', '::', '224.0.0.1', 'ff02::1', '010.0.0.1', '1.2.3.4/24', 'fe80::1%eth0', ''],
    ...['10.0.2.2', '::ffff:10.0.2.3', '2001:DB8:0:0::1', 'FE80::1'],
  ];
  const nic = {
    name: 'eth0',
    'hardware-address': '02:00:00:aa:bb:cc',
    'ip-addresses': reported.map((address) => ({ 'ip-address': address })),
  };
  assert.deepEqual(replies.parseInterfaces([nic])[0]?.ipAddresses, [
    '10.0.2.2',
    '10.0.2.3',
    '2001:db8::1',
    'fe80::1',
  ]);
});

test('no JSON makes a parser throw', () => {
  const parsers = [
    replies.parseInfo,
    replies.parseOs,
    replies.parseHostname,
    replies.parseTimezone,
    replies.parseFreezeStatus,
    replies.parseInterfaces,
    replies.parseUsers,
    replies.parseFilesystems,
  ];
  fc.assert(
    fc.property(fc.json(), (json) => {
      for (const parse of parsers) parse(JSON.parse(json));
      replies.returnValue(json);
      replies.returnValue(json.slice(1));
    }),
  );
});
