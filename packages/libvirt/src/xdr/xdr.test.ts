import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LIMITS } from '../protocol/limits.ts';
import { XdrReader } from './reader.ts';
import { XdrWriter } from './writer.ts';
import { XdrError } from './xdr-error.ts';

/** Writes, reads back, and demands that nothing is left over. */
function roundTrip<T>(write: (out: XdrWriter) => void, read: (input: XdrReader) => T): T {
  const out = new XdrWriter();
  write(out);
  assert.equal(out.bytes().length % 4, 0, 'everything is padded to four bytes');
  const input = new XdrReader(out.bytes());
  const value = read(input);
  input.end();
  return value;
}

const text = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((value) => !value.includes('\0'));

test('what is written is read back', () => {
  const values = fc.record(
    {
      int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      uint: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      hyper: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      uhyper: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      double: fc.double({ noNaN: true }),
      text,
      optional: fc.option(text, { nil: undefined }),
      bytes: fc.uint8Array({ maxLength: 50 }),
      list: fc.array(text, { maxLength: 20 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(values, (v) => {
      const read = roundTrip(
        (out) =>
          void out
            .int(v.int)
            .uint(v.uint)
            .hyper(v.hyper)
            .uhyper(v.uhyper)
            .double(v.double)
            .string(v.text)
            .optionalString(v.optional)
            .opaque(v.bytes, 50)
            .list(v.list, 20, (item) => out.string(item)),
        (input) => ({
          int: input.int(),
          uint: input.uint(),
          hyper: input.hyper(),
          uhyper: input.uhyper(),
          double: input.double(),
          text: input.string(),
          optional: input.optionalString(),
          bytes: new Uint8Array(input.opaque(50)),
          list: input.list(20, () => input.string()),
        }),
      );
      assert.deepEqual(read, v);
    }),
  );
});

test('arbitrary bytes never make the reader do more than throw XdrError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const input = new XdrReader(Buffer.from(bytes));
      try {
        input.list(LIMITS.domainList, () => input.optionalString());
      } catch (error) {
        assert.ok(error instanceof XdrError);
      }
    }),
  );
});

test('lengths beyond the maximum are refused before anything is read', () => {
  const tooLong = Buffer.alloc(8);
  tooLong.writeUInt32BE(LIMITS.string + 1, 0);
  assert.throws(() => new XdrReader(tooLong).string(), XdrError);
  assert.throws(() => new XdrReader(tooLong).list(10, () => 0), XdrError);
  const lyingCount = Buffer.alloc(8);
  lyingCount.writeUInt32BE(1_000, 0);
  assert.throws(() => new XdrReader(lyingCount).list(16_384, () => 0), XdrError);
});

test('values that do not fit are refused when writing', () => {
  const cases: readonly ((out: XdrWriter) => unknown)[] = [
    (out) => out.int(2 ** 31),
    (out) => out.uint(-1),
    (out) => out.uhyper(-1n),
    (out) => out.hyper(2n ** 63n),
    (out) => out.string('a\0b'),
    (out) => out.opaque(new Uint8Array(5), 4),
    (out) => out.list([1, 2], 1, () => {}),
  ];
  for (const write of cases) assert.throws(() => write(new XdrWriter()), XdrError);
});
