/** What a guest sends to the servers on its own link: DHCP, DHCPv6, router solicitations. */
import type { Dhcp6Config, DhcpConfig } from '@podvisor/api';
import { answerMessage6, serverDuid } from '../../../packages/network/src/dhcp6/answer.ts';
import {
  decodeMessage6,
  encodeMessage6,
  MAX_MESSAGE6_BYTES,
  Message6Error,
  OPTION6,
} from '../../../packages/network/src/dhcp6/codec.ts';
import { answerPacket } from '../../../packages/network/src/dhcp/answer.ts';
import {
  decodePacket,
  DhcpPacketError,
  encodePacket,
  MAX_BYTES,
} from '../../../packages/network/src/dhcp/codec.ts';
import { OPTION } from '../../../packages/network/src/dhcp/options.ts';
import { isSolicitationOf } from '../../../packages/network/src/ra/codec.ts';
import { expect, type FuzzTarget } from '../frame/target.ts';

const MAC = '0a:58:0a:f4:00:05';
const MAC_BYTES = MAC.split(':').map((part) => Number.parseInt(part, 16));
const longDomain = Array.from({ length: 4 }, (_, i) => `${'x'.repeat(60)}${i}`).join('.');
const config: DhcpConfig = {
  clientCidr: '10.0.2.2/24',
  serverAddress: '10.0.2.1',
  router: '10.0.2.1',
  routes: [{ destination: '10.96.0.0/12', gateway: '10.0.2.1' }],
  dnsServers: ['10.96.0.10'],
  searchDomains: Array.from({ length: 32 }, (_, i) => `d${i}.${longDomain}`.slice(0, 200)),
  hostname: 'h'.repeat(63),
  mtu: 1450,
};
const config6: Dhcp6Config = {
  clientAddress: 'fd10:0:2::2',
  serverMac: '02:00:00:00:00:00',
  dnsServers: ['fd00::1', 'fd00::2', 'fd00::3'],
  searchDomains: config.searchDomains,
  hostname: config.hostname,
};

const packet = (type: number): Uint8Array =>
  encodePacket({
    op: 1,
    transactionId: 7,
    seconds: 0,
    broadcast: true,
    clientAddress: '0.0.0.0',
    yourAddress: '0.0.0.0',
    serverAddress: '0.0.0.0',
    relayAddress: '0.0.0.0',
    mac: MAC,
    options: new Map([
      [OPTION.messageType, Uint8Array.of(type)],
      [OPTION.requestedAddress, Uint8Array.of(10, 0, 2, 2)],
    ]),
  });

export const dhcp: FuzzTarget = {
  seeds: [packet(1), packet(3), packet(8)],
  words: [
    Uint8Array.of(53, 1, 3),
    Uint8Array.of(50, 4, 10, 0, 2, 2),
    Uint8Array.of(54, 4, 10, 0, 2, 1),
    Uint8Array.of(255),
    Uint8Array.of(0),
  ],
  maxBytes: 1600,
  longBytes: 1600,
  refuses: (error) => error instanceof DhcpPacketError,
  feed: (input) => {
    const answer = answerPacket(decodePacket(input), config, MAC);
    if (answer !== undefined) expect(encodePacket(answer).length <= MAX_BYTES, 'an answer fits one frame');
  },
};

const message6 = (type: number): Uint8Array =>
  encodeMessage6({
    type,
    transactionId: 7,
    options: [
      { code: OPTION6.clientId, value: Uint8Array.of(0, 3, 0, 1, 1, 2, 3, 4, 5, 6) },
      ...(type === 3 ? [{ code: OPTION6.serverId, value: serverDuid(config6) }] : []),
      { code: OPTION6.identityAssociation, value: new Uint8Array(12 + 28) },
      { code: OPTION6.requested, value: Uint8Array.of(0, 23, 0, 39) },
    ],
  });

export const dhcp6: FuzzTarget = {
  seeds: [message6(1), message6(3), message6(6), message6(11)],
  words: [1, 2, 3, 5, 6, 13, 14, 39].map((code) => Uint8Array.of(0, code, 0, 4, 1, 2, 3, 4)),
  maxBytes: 1600,
  longBytes: 1600,
  refuses: (error) => error instanceof Message6Error,
  feed: (input) => {
    const answer = answerMessage6(decodeMessage6(input), config6);
    if (answer !== undefined)
      expect(encodeMessage6(answer).length <= MAX_MESSAGE6_BYTES, 'an answer fits one frame');
  },
};

export const routerSolicitation: FuzzTarget = {
  seeds: [
    Uint8Array.of(133, 0, 0, 0, 0, 0, 0, 0, 1, 1, ...MAC_BYTES),
    Uint8Array.of(133, 0, 0, 0, 0, 0, 0, 0),
  ],
  maxBytes: 1600,
  longBytes: 1600,
  refuses: () => false,
  feed: (input) => {
    if (isSolicitationOf(input, MAC)) expect(input[0] === 133, 'only a solicitation is one');
  },
};
