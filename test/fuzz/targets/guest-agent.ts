/** Replies of the agent inside the guest, and a launcher's words about its domain. */
import { isIP } from 'node:net';
import {
  DomainMessageError,
  parseDomain,
} from '../../../packages/virt-handler/src/launcher-client/parse-domain.ts';
import * as replies from '../../../packages/virt-launcher/src/guest-agent/replies.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';
import { jsonText } from './json-grammar.ts';

const nic =
  '{"name":"eth0","hardware-address":"02:00:00:00:00:01","ip-addresses":[{"ip-address":"10.0.2.2","ip-address-type":"ipv4","prefix":24}]}';
/** What one reply may leave in the status: all lists at their limits, all texts at theirs. */
const MAX_STATUS_BYTES = 1024 * 1024;

export const agent: FuzzTarget = {
  seeds: [
    `{"return":[${nic}]}`,
    '{"return":{"id":"debian","name":"Debian","pretty-name":"D","version":"13","kernel-release":"6","host-name":"h","zone":"UTC","offset":3600,"load1m":0.1,"load5m":0.2,"load15m":0.3}}',
    '{"return":{"version":"10","supported_commands":[{"name":"guest-ping","enabled":true}]}}',
    '{"return":[{"user":"root","login-time":1.5,"domain":"d"},{"name":"vda1","mountpoint":"/","type":"ext4","used-bytes":1,"total-bytes":2,"disk":[{"serial":"s","bus-type":"virtio"}]}]}',
  ].map(bytes),
  words: [
    nic,
    `,${nic}`,
    '"ip-address":"::ffff:7f00:1"',
    '"127.1"',
    '"return":',
    '{',
    '}',
    '[',
    ']',
    '1e999',
    '"\\u0000"',
    '"__proto__":{}',
    'null',
  ],
  generate: (random) =>
    bytes(
      `{"return":${random.once(2) ? `[${nic.replace('10.0.2.2', random.pick(['0x7f.1', '2130706433', '::', 'fe80::1%eth0', '']))},${jsonText(random)}]` : jsonText(random)}}`,
    ),
  longBytes: 512 * 1024,
  refuses: () => false,
  feed: (input) => {
    const value = replies.returnValue(text(input));
    const nics = replies.parseInterfaces(value);
    expect(nics.length <= replies.CAPS.interfaces, 'interfaces have a limit');
    for (const { ipAddresses = [] } of nics) {
      expect(ipAddresses.length <= replies.CAPS.addressesPerInterface, 'addresses have a limit');
      expect(
        ipAddresses.every((address) => isIP(address) !== 0),
        'an address is an address',
      );
    }
    const facts = [
      nics,
      replies.parseInfo(value),
      replies.parseOs(value),
      replies.parseHostname(value),
      replies.parseTimezone(value),
      replies.parseLoad(value),
      replies.parseFreezeStatus(value),
      replies.parseUsers(value),
      replies.parseFilesystems(value),
    ];
    expect(JSON.stringify(facts).length < MAX_STATUS_BYTES, 'what a guest says has a limit');
  },
};

export const domainState: FuzzTarget = {
  seeds: [
    '{"name":"default_a","uuid":"7b1c1e4e-0000-4000-8000-000000000001","vmiUid":"u","state":"Running","reason":"","agentConnected":true,"interfaces":[{"mac":"02:00:00:00:00:01","ipAddresses":["10.0.2.2"],"source":"guest-agent"}],"diskTargets":{"root":"vda"}}',
    '{"state":"Paused","reason":"IOError","diskTroubles":[{"volume":"v","reason":"no-space"}],"migration":{"uid":"u","mode":"PreCopy"},"backup":{"name":"b","volumes":["v"]},"trackedVolumes":["v"]}',
  ].map(bytes),
  words: [
    '"state":"Running"',
    '"interfaces":',
    '"migration":',
    '"backup":',
    '{',
    '}',
    '[',
    ']',
    'null',
    '"__proto__":{"x":1}',
  ],
  generate: (random) =>
    bytes(
      `{"state":"Running","interfaces":${jsonText(random)},"migration":${jsonText(random)},"diskTargets":${jsonText(random)},"x":${jsonText(random)}}`,
    ),
  refuses: (error) => error instanceof DomainMessageError,
  feed: (input) => {
    const state = parseDomain(input);
    if (state === undefined) return;
    expect(state.interfaces.length <= 64, 'interfaces have a limit');
  },
};
