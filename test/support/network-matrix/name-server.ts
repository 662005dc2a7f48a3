/** A name server of the machine over IPv6, which has one answer for every question: an address. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { run } from '@podvisor/sys';

/** What every name means. */
export const NAMED_ADDRESS = 'fd00:53::1';
const NAMED_BYTES = Buffer.from('fd000053000000000000000000000001', 'hex');
const HEADER_BYTES = 12;
const AAAA = 28;

/** Listens at port 53 of `address`, which the machine has until this is disposed. */
export async function serveNames(address: string): Promise<AsyncDisposable> {
  await run('ip', ['address', 'replace', `${address}/128`, 'dev', 'lo']);
  const socket = createSocket({ type: 'udp6', ipv6Only: true });
  socket.on('message', (question, from) => socket.send(answerTo(question), from.port, from.address));
  socket.bind(53, address);
  await once(socket, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
      await run('ip', ['address', 'del', `${address}/128`, 'dev', 'lo'], { okCodes: [0, 2] });
    },
  };
}

/** The question again, and after it the address when an IPv6 one was asked for (RFC 1035, 4.1). */
function answerTo(message: Buffer): Buffer {
  let end = HEADER_BYTES;
  while ((message[end] ?? 0) !== 0) end += (message[end] ?? 0) + 1;
  const question = message.subarray(0, end + 5);
  const isWanted = message.readUInt16BE(end + 1) === AAAA;
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8580, 2); // an answer, from the authority, recursion available
  head.writeUInt16BE(isWanted ? 1 : 0, 6);
  head.fill(0, 8, HEADER_BYTES);
  if (!isWanted) return head;
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, AAAA, 0, 1, 0, 0, 0, 60, 0, NAMED_BYTES.length]);
  return Buffer.concat([head, record, NAMED_BYTES]);
}
