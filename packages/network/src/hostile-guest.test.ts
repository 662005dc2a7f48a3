/**
 * A guest that sends rubbish: no exception but the one that says "not a packet", no answer that does not fit
 * a frame, and no growth. A million packets with PODVISOR_FUZZ=1000000; a short run otherwise.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Dhcp6Config, DhcpConfig } from '@podvisor/api';
import { answerPacket } from './dhcp/answer.ts';
import { DhcpPacketError, decodePacket, encodePacket, MAX_BYTES } from './dhcp/codec.ts';
import { OPTION } from './dhcp/options.ts';
import { answerMessage6, serverDuid } from './dhcp6/answer.ts';
import { decodeMessage6, encodeMessage6, MAX_MESSAGE6_BYTES, Message6Error, OPTION6 } from './dhcp6/codec.ts';
import { isSolicitationOf } from './ra/codec.ts';
import { hostilePackets } from './testing/hostile-packets.ts';

const COUNT = Number(process.env['PODVISOR_FUZZ'] ?? 20_000);
const SEED = 20_260_815;
const MAX_GROWTH_BYTES = 4 * 1024 * 1024;
const MAC = '0a:58:0a:f4:00:05';
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

const discover = (type: number): Uint8Array =>
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
const solicit = (type: number): Uint8Array =>
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
const rs = Uint8Array.of(
  133,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  1,
  ...MAC.split(':').map((p) => Number.parseInt(p, 16)),
);

/** What is still held after the collector ran; buffers are given back a turn later than their owners. */
async function usedBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What each server does with one packet; true when it answered. */
const SERVERS: Readonly<
  Record<string, { templates: readonly Uint8Array[]; serve(packet: Uint8Array): boolean }>
> = {
  DHCPv4: {
    templates: [discover(1), discover(3), discover(8)],
    serve: (packet) => {
      const answer = answerPacket(decodePacket(packet), config, MAC);
      if (answer !== undefined) assert.ok(encodePacket(answer).length <= MAX_BYTES);
      return answer !== undefined;
    },
  },
  DHCPv6: {
    templates: [solicit(1), solicit(3), solicit(6), solicit(11)],
    serve: (packet) => {
      const answer = answerMessage6(decodeMessage6(packet), config6);
      if (answer !== undefined) assert.ok(encodeMessage6(answer).length <= MAX_MESSAGE6_BYTES);
      return answer !== undefined;
    },
  },
  'router solicitations': { templates: [rs], serve: (packet) => isSolicitationOf(packet, MAC) },
};

for (const [name, { templates, serve }] of Object.entries(SERVERS))
  test(`${name}: ${COUNT} hostile packets`, async () => {
    for (const template of templates) assert.ok(serve(template), 'the templates themselves are answered');
    const packets = hostilePackets(templates, SEED);
    let answered = 0;
    const feed = (count: number): void => {
      for (let i = 0; i < count; i += 1) {
        const packet = packets.next().value;
        try {
          if (serve(packet)) answered += 1;
        } catch (error) {
          if (!(error instanceof DhcpPacketError) && !(error instanceof Message6Error))
            throw new Error(`packet ${i} of seed ${SEED}: ${Buffer.from(packet).toString('hex')}`, {
              cause: error,
            });
        }
      }
    };
    feed(Math.min(COUNT, 5_000));
    const before = await usedBytes();
    feed(COUNT);
    const growth = (await usedBytes()) - before;
    assert.ok(answered > 0, 'some packets survive their changes');
    assert.ok(growth < MAX_GROWTH_BYTES, `grew by ${growth} bytes`);
  });
