import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { XdrReader } from '../xdr/reader.ts';
import { XdrWriter } from '../xdr/writer.ts';
import { XdrError } from '../xdr/xdr-error.ts';
import { paramRecord, readParam, type TypedParam, writeParam } from './typed-param.ts';
import { readDomain, writeDomain } from './domain-ref.ts';

const field = fc.string({ maxLength: 80 }).filter((name) => !name.includes('\0'));
const plain = { noNullPrototype: true } as const;
const param: fc.Arbitrary<TypedParam> = fc.oneof(
  fc.record(
    { field, type: fc.constant('int' as const), value: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) },
    plain,
  ),
  fc.record(
    { field, type: fc.constant('uint' as const), value: fc.integer({ min: 0, max: 2 ** 32 - 1 }) },
    plain,
  ),
  fc.record(
    { field, type: fc.constant('llong' as const), value: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n) },
    plain,
  ),
  fc.record({ field, type: fc.constant('ullong' as const), value: fc.bigInt(0n, 2n ** 64n - 1n) }, plain),
  fc.record({ field, type: fc.constant('double' as const), value: fc.double({ noNaN: true }) }, plain),
  fc.record({ field, type: fc.constant('boolean' as const), value: fc.boolean() }, plain),
  fc.record({ field, type: fc.constant('string' as const), value: field }, plain),
);

test('typed parameters survive the wire', () => {
  fc.assert(
    fc.property(param, (value) => {
      const out = new XdrWriter();
      writeParam(out, value);
      const input = new XdrReader(out.bytes());
      assert.deepEqual(readParam(input), value);
      input.end();
    }),
  );
});

test('an unknown type is refused, since its length is unknown', () => {
  const out = new XdrWriter().string('x').int(8).int(0);
  assert.throws(() => readParam(new XdrReader(out.bytes())), XdrError);
});

test('records turn 64-bit values into numbers', () => {
  const params: TypedParam[] = [
    { field: 'cpu.time', type: 'ullong', value: 240_000_000n },
    { field: 'net.0.name', type: 'string', value: 'tap0' },
  ];
  assert.deepEqual(paramRecord(params), { 'cpu.time': 240_000_000, 'net.0.name': 'tap0' });
});

test('domains survive the wire', () => {
  fc.assert(
    fc.property(
      fc.record({ name: field, uuid: fc.uuid(), id: fc.integer({ min: -1, max: 1e6 }) }, plain),
      (domain) => {
        const out = new XdrWriter();
        writeDomain(out, domain);
        assert.deepEqual(readDomain(new XdrReader(out.bytes())), domain);
      },
    ),
  );
});
