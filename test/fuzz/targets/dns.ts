/** Messages to the cluster's DNS server, and answers of servers that it asks. */
import { decodeMessage } from '../../../packages/service-network/src/dns/decode.ts';
import { encodeWithin } from '../../../packages/service-network/src/dns/encode.ts';
import { DnsFormatError } from '../../../packages/service-network/src/dns/message.ts';
import { expect, type FuzzTarget } from '../frame/target.ts';

const name = (...labels: readonly string[]): number[] => [
  ...labels.flatMap((label) => [label.length, ...Buffer.from(label)]),
  0,
];
const head = (flags: number, ...counts: readonly number[]): number[] => [
  0,
  7,
  flags >>> 8,
  flags & 0xff,
  ...counts.flatMap((n) => [0, n]),
];
const question = [...name('kubernetes', 'default', 'svc', 'cluster', 'local'), 0, 1, 0, 1];

export const target: FuzzTarget = {
  seeds: [
    Uint8Array.from([...head(0x0100, 1, 0, 0, 1), ...question, 0, 0, 41, 16, 0, 0, 0, 0, 0, 0, 0]),
    Uint8Array.from([
      ...head(0x8180, 1, 2, 0, 0),
      ...question,
      0xc0,
      12,
      0,
      5,
      0,
      1,
      0,
      0,
      0,
      9,
      0,
      2,
      0xc0,
      23,
      0xc0,
      12,
      0,
      1,
      0,
      1,
      0,
      0,
      0,
      9,
      0,
      4,
      10,
      0,
      0,
      1,
    ]),
    Uint8Array.from([
      ...head(0x8180, 1, 1, 0, 0),
      ...question,
      0xc0,
      12,
      0,
      33,
      0,
      1,
      0,
      0,
      0,
      9,
      0,
      8,
      0,
      1,
      0,
      2,
      0,
      80,
      0xc0,
      12,
    ]),
  ],
  words: [[0xc0, 12], [0xc0, 0], [63], [0, 28, 0, 1], [0, 6, 0, 1], [0, 33]].map((word) =>
    Uint8Array.from(word),
  ),
  refuses: (error) => error instanceof DnsFormatError,
  feed: (input) => {
    const message = decodeMessage(input);
    const again = encodeWithin(message, 512);
    expect(again.length <= 512, 'an answer has a limit');
  },
};
