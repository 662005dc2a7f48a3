import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LIMITS } from '../protocol/limits.ts';
import { XdrError } from '../xdr/xdr-error.ts';
import { encodeMessage, type Message, MessageDecoder } from './message.ts';

const word = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const plain = { noNullPrototype: true } as const;
const message = fc.record(
  {
    header: fc.record(
      { program: word, version: word, procedure: word, type: word, serial: word, status: word },
      plain,
    ),
    payload: fc.uint8Array({ maxLength: 200 }),
  },
  plain,
);

test('messages come out as they went in, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 90 })),
      (messages, cuts) => {
        const stream = Buffer.concat(messages.map(({ header, payload }) => encodeMessage(header, payload)));
        const decoder = new MessageDecoder();
        const received: Message[] = [];
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = cuts[i % Math.max(1, cuts.length)] ?? stream.length;
          received.push(...decoder.push(stream.subarray(at, at + size)));
          at += size;
        }
        assert.deepEqual(
          received.map(({ header, payload }) => ({ header, payload: new Uint8Array(payload) })),
          messages,
        );
      },
    ),
  );
});

test('a length that no message can have ends the stream at once', () => {
  for (const length of [0, 27, LIMITS.message + 5, 0xffffffff]) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(length);
    assert.throws(() => [...new MessageDecoder().push(bytes)], XdrError);
  }
});
