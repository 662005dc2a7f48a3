import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DhcpConfig } from '@podvisor/api';
import { answerPacket } from './answer.ts';
import { type DhcpPacket, MESSAGE_TYPE } from './codec.ts';
import { OPTION } from './options.ts';

const MAC = '02:aa:bb:cc:dd:ee';
const config: DhcpConfig = {
  clientCidr: '10.0.2.2/24',
  serverAddress: '10.0.2.1',
  router: '10.0.2.1',
  dnsServers: ['10.96.0.10', '1.1.1.1'],
  searchDomains: ['cluster.local', 'shop.svc.cluster.local'],
  hostname: 'web',
  mtu: 1450,
};

function request(
  type: number,
  extra: readonly (readonly [number, readonly number[]])[] = [],
  changes: Partial<DhcpPacket> = {},
): DhcpPacket {
  return {
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
      ...extra.map(([c, v]) => [c, Uint8Array.from(v)] as const),
    ]),
    ...changes,
  };
}

const typeOf = (packet: DhcpPacket | undefined): number | undefined =>
  packet?.options.get(OPTION.messageType)?.[0];
const bytes = (packet: DhcpPacket | undefined, code: number): number[] | undefined => {
  const value = packet?.options.get(code);
  return value === undefined ? undefined : [...value];
};

describe('answers', () => {
  test('discover gets the one address and everything about the network', () => {
    const offer = answerPacket(request(MESSAGE_TYPE.discover), config, MAC.toUpperCase());
    assert.equal(typeOf(offer), MESSAGE_TYPE.offer);
    assert.equal(offer?.yourAddress, '10.0.2.2');
    assert.equal(offer?.transactionId, 7);
    assert.deepEqual(bytes(offer, OPTION.subnetMask), [255, 255, 255, 0]);
    assert.deepEqual(bytes(offer, OPTION.router), [10, 0, 2, 1]);
    assert.deepEqual(bytes(offer, OPTION.dns), [10, 96, 0, 10, 1, 1, 1, 1]);
    assert.deepEqual(bytes(offer, OPTION.mtu), [1450 >> 8, 1450 & 255]);
    assert.equal(Buffer.from(bytes(offer, OPTION.domainName) ?? []).toString(), 'shop.svc.cluster.local');
    assert.equal(bytes(offer, OPTION.classlessRoutes), undefined);
  });

  const cases: readonly (readonly [string, DhcpPacket, number | undefined])[] = [
    [
      'request for our address',
      request(MESSAGE_TYPE.request, [[OPTION.requestedAddress, [10, 0, 2, 2]]]),
      MESSAGE_TYPE.ack,
    ],
    ['renewal', request(MESSAGE_TYPE.request, [], { clientAddress: '10.0.2.2' }), MESSAGE_TYPE.ack],
    [
      'request for another address',
      request(MESSAGE_TYPE.request, [[OPTION.requestedAddress, [192, 168, 0, 9]]]),
      MESSAGE_TYPE.nak,
    ],
    [
      'request to another server',
      request(MESSAGE_TYPE.request, [[OPTION.serverId, [1, 2, 3, 4]]]),
      undefined,
    ],
    ['inform', request(MESSAGE_TYPE.inform, [], { clientAddress: '10.0.2.2' }), MESSAGE_TYPE.ack],
    ['release', request(MESSAGE_TYPE.release), undefined],
    ['another NIC', request(MESSAGE_TYPE.discover, [], { mac: '02:00:00:00:00:99' }), undefined],
    ['an answer of a server', request(MESSAGE_TYPE.discover, [], { op: 2 }), undefined],
    ['no type', { ...request(1), options: new Map() }, undefined],
  ];
  for (const [name, packet, expected] of cases)
    test(name, () => assert.equal(typeOf(answerPacket(packet, config, MAC)), expected));

  test('classless routes repeat the default route, last', () => {
    const routed = {
      ...config,
      routes: [
        { destination: '10.96.0.0/12', gateway: '10.0.2.9' },
        { destination: '169.254.1.1/32', gateway: '0.0.0.0' },
      ],
    };
    const offer = answerPacket(request(MESSAGE_TYPE.discover), routed, MAC);
    assert.deepEqual(bytes(offer, OPTION.classlessRoutes), [
      ...[12, 10, 96, 10, 0, 2, 9],
      ...[32, 169, 254, 1, 1, 0, 0, 0, 0],
      ...[0, 10, 0, 2, 1],
    ]);
  });

  test('extra options; private ones only in their range', () => {
    const extra = {
      bootFileName: 'pxe',
      tftpServerName: 'tftp',
      ntpServers: ['10.1.1.1'],
      privateOptions: [
        { option: 240, value: 'x' },
        { option: 3, value: 'y' },
      ],
    };
    const offer = answerPacket(request(MESSAGE_TYPE.discover), { ...config, options: extra }, MAC);
    assert.equal(Buffer.from(bytes(offer, OPTION.bootFile) ?? []).toString(), 'pxe');
    assert.deepEqual(bytes(offer, 240), [120]);
    assert.deepEqual(bytes(offer, OPTION.router), [10, 0, 2, 1]);
  });
});
