import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodeMessage } from './decode.ts';
import { encodeMessage, encodeWithin } from './encode.ts';
import { DnsFormatError, type Message, type RecordData, type ResourceRecord, types } from './message.ts';

const label = fc.stringMatching(/^[a-z0-9_-]{1,12}$/);
const name = fc.array(label, { maxLength: 6 }).map((labels) => labels.join('.'));
const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffffffff });
const address = fc
  .tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 0, max: 255 })))
  .map((octets) => octets.join('.'));

const data: fc.Arbitrary<readonly [number, RecordData]> = fc.oneof(
  address.map((a) => [types.A, { kind: 'address4', address: a }] as const),
  name.map((target) => [types.CNAME, { kind: 'name', target }] as const),
  fc
    .record({ priority: u16, weight: u16, port: u16, target: name })
    .map((srv) => [types.SRV, { kind: 'srv', ...srv }] as const),
  fc
    .record({
      primary: name,
      mailbox: name,
      serial: u32,
      refresh: u32,
      retry: u32,
      expire: u32,
      minimum: u32,
    })
    .map((soa) => [types.SOA, { kind: 'soa', ...soa }] as const),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => [types.TXT, { kind: 'raw', bytes }] as const),
);
const record: fc.Arbitrary<ResourceRecord> = fc
  .record({ name, class: u16, ttl: u32, data })
  .map(({ data: [type, content], ...rest }) => ({ ...rest, type, data: content }));
const message: fc.Arbitrary<Message> = fc.record({
  id: u16,
  isResponse: fc.boolean(),
  opcode: fc.integer({ min: 0, max: 15 }),
  authoritative: fc.boolean(),
  truncated: fc.boolean(),
  recursionDesired: fc.boolean(),
  recursionAvailable: fc.boolean(),
  code: fc.integer({ min: 0, max: 15 }),
  questions: fc.array(fc.record({ name, type: u16, class: u16 }), { maxLength: 2 }),
  answers: fc.array(record, { maxLength: 5 }),
  authorities: fc.array(record, { maxLength: 2 }),
  additionals: fc.array(record, { maxLength: 2 }),
});

test('property: what is written is read back', () => {
  fc.assert(fc.property(message, (m) => assert.deepEqual(plain(decodeMessage(encodeMessage(m))), plain(m))));
});

test('property: any bytes are a message or a format error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        decodeMessage(bytes);
      } catch (error) {
        assert.ok(error instanceof DnsFormatError, String(error));
      }
    }),
    { numRuns: 5000 },
  );
});

test('property: a message with flipped bytes is a message or a format error', () => {
  fc.assert(
    fc.property(
      message,
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
      (m, flips) => {
        const bytes = encodeMessage(m);
        for (const [at, value] of flips) bytes[at % bytes.length] = value;
        try {
          decodeMessage(bytes);
        } catch (error) {
          assert.ok(error instanceof DnsFormatError, String(error));
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test('a name that points at itself is refused', () => {
  const header = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  assert.throws(() => decodeMessage(Uint8Array.from([...header, 0xc0, 12, 0, 1, 0, 1])), DnsFormatError);
});

test('an answer that does not fit says so', () => {
  const answers = Array.from(
    { length: 100 },
    (_, i): ResourceRecord => ({
      name: 'many.default.svc.cluster.local',
      type: types.A,
      class: 1,
      ttl: 5,
      data: { kind: 'address4', address: `10.0.0.${i}` },
    }),
  );
  const whole: Message = {
    id: 1,
    isResponse: true,
    opcode: 0,
    authoritative: true,
    truncated: false,
    recursionDesired: true,
    recursionAvailable: true,
    code: 0,
    questions: [],
    answers,
    authorities: [],
    additionals: [],
  };
  const bytes = encodeWithin(whole, 512);
  assert.ok(bytes.length <= 512);
  const part = decodeMessage(bytes);
  assert.equal(part.truncated, true);
  assert.ok(part.answers.length > 10);
  assert.equal(decodeMessage(encodeWithin(whole, 65_535)).truncated, false);
});

/** Without the null prototypes and buffers that generators make. */
function plain(m: Message): unknown {
  return JSON.parse(
    JSON.stringify(m, (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value)),
  );
}

test('a name that leads from pointer to pointer is refused before it has cost much', () => {
  const header = Buffer.from([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  const record = Buffer.from([0, 0, 16, 0, 1, 0, 0, 0, 0, 0, 201, 0]);
  const start = header.length + record.length - 1;
  const chain = Array.from({ length: 100 }, (_, i) => [0xc0, i === 0 ? start : start + 1 + 2 * (i - 1)]);
  const last = [0xc0, start + 1 + 2 * 99, 0, 16, 0, 1, 0, 0, 0, 0, 0, 0];
  assert.throws(
    () => decodeMessage(Buffer.concat([header, record, Buffer.from([...chain.flat(), ...last])])),
    /too many pointers/,
  );
});
