import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Header, headerBlock, HeaderReader } from './hpack.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** RFC 7541, appendix C.3 and C.4: the same three requests of one connection, plain and compressed. */
const FIRST: readonly Header[] = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/'],
  [':authority', 'www.example.com'],
];
const SECOND: readonly Header[] = [...FIRST, ['cache-control', 'no-cache']];
const THIRD: readonly Header[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/index.html'],
  [':authority', 'www.example.com'],
  ['custom-key', 'custom-value'],
];

for (const [how, ...blocks] of [
  [
    'plain',
    '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
    '8286 84be 5808 6e6f 2d63 6163 6865',
    '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
  ],
  [
    'with the Huffman code',
    '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
    '8286 84be 5886 a8eb 1064 9cbf',
    '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
  ],
] as const)
  test(`the requests of the RFC, ${how}`, () => {
    const reader = new HeaderReader();
    assert.deepEqual(
      blocks.map((block) => reader.read(hex(block))),
      [FIRST, SECOND, THIRD],
    );
  });

test('a table that is made smaller forgets', () => {
  const reader = new HeaderReader();
  reader.read(hex('4003 6b65 79 05 7661 6c75 65'));
  assert.deepEqual(reader.read(hex('be')), [['key', 'value']]);
  reader.read(hex('20'));
  assert.throws(() => reader.read(hex('be')), /no header number 62/);
});

test('reading undoes writing', () => {
  const name = fc.stringMatching(/^[a-z-]{1,40}$/);
  const value = fc.stringMatching(/^[\x20-\x7e]{0,400}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (headers) => {
      assert.deepEqual(new HeaderReader().read(headerBlock(headers)), headers);
    }),
  );
});

test('any bytes are headers or an error, and the table stays bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), (blocks) => {
      const reader = new HeaderReader();
      for (const block of blocks)
        try {
          for (const [name, value] of reader.read(Buffer.from(block)))
            assert.ok(name.length + value.length < 600);
        } catch (error) {
          assert.match(String(error), /header|Huffman/);
        }
    }),
    { numRuns: 2000 },
  );
});
