/** A DHCPv6 client, as small as can be: solicit, request, print the lease as JSON. */
import { createSocket } from 'node:dgram';
import { ipv6FromBytes } from '../address.ts';
import {
  decodeMessage6,
  decodeOptions6,
  encodeMessage6,
  MESSAGE6,
  type Message6,
  type Option6,
  OPTION6,
} from '../dhcp6/codec.ts';

const device = process.argv[2] ?? '';
const socket = createSocket('udp6');
await new Promise<void>((resolve) => socket.bind(546, resolve));
const clientId = {
  code: OPTION6.clientId,
  value: Uint8Array.of(0, 4, ...Array.from({ length: 16 }, (_, i) => i)),
};
const asked = { code: OPTION6.identityAssociation, value: Uint8Array.from({ length: 12 }, () => 7) };
const wanted = { code: OPTION6.requested, value: Uint8Array.of(0, 23, 0, 24, 0, 39) };

function ask(type: number, options: readonly Option6[]): Promise<Message6> {
  const message = encodeMessage6({
    type,
    transactionId: 0xabcdef,
    options: [clientId, asked, wanted, ...options],
  });
  const send = (): void => socket.send(message, 547, `ff02::1:2%${device}`, () => undefined);
  const again = setInterval(send, 300);
  send();
  return new Promise((resolve) =>
    socket.once('message', (bytes) => {
      clearInterval(again);
      resolve(decodeMessage6(bytes));
    }),
  );
}
const find = (options: readonly Option6[], code: number): Uint8Array =>
  options.find((o) => o.code === code)?.value ?? new Uint8Array();

const offer = await ask(MESSAGE6.solicit, []);
const server = { code: OPTION6.serverId, value: find(offer.options, OPTION6.serverId) };
const { options } = await ask(MESSAGE6.request, [server]);
const association = find(options, OPTION6.identityAssociation);
const address = find(decodeOptions6(association.subarray(12)), OPTION6.address);
console.log(
  JSON.stringify({ address: ipv6FromBytes(address.subarray(0, 16)), options: options.map((o) => o.code) }),
);
socket.close();
