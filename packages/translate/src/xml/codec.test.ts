import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { attribute, child, children, content, element, flag, integer, textChild } from './codec.ts';
import { parseXml, XmlParseError } from './parse.ts';
import { writeXml, XmlCharacterError } from './write.ts';

const codec = element({
  kind: attribute('the_kind'),
  size: integer(),
  name: textChild(),
  on: flag(),
  items: children('item', element({ id: integer(), value: content() })),
  deep: child(element({ leaf: child(element({ x: attribute() })) })),
});

test('an element is printed in the order of its description', () => {
  const xml = writeXml(
    codec.encode('thing', { items: [{ id: 1, value: 'a' }], on: true, name: 'n', size: 3, kind: 'k' }),
  );
  assert.equal(
    xml,
    "<thing the_kind='k' size='3'>\n  <name>n</name>\n  <on/>\n  <item id='1'>a</item>\n</thing>\n",
  );
});

test('reading drops what is not described and leaves out what is not there', () => {
  const read = codec.decode(parseXml("<thing size='4' other='1'><unknown/><on/></thing>"));
  assert.deepEqual(read, { size: 4, on: true });
});

/** Text that XML can carry; the reader trims, so it neither begins nor ends with white space. */
const text = fc.string().filter((s) => s.trim() === s && s !== '' && !/[^\u0020-\ud7ff]/.test(s));

test('decode undoes encode', () => {
  const model = fc.record(
    {
      kind: text,
      size: fc.integer({ min: 0, max: 2 ** 40 }),
      name: text,
      items: fc.array(fc.record({ id: fc.nat(), value: text }), { minLength: 1, maxLength: 4 }),
      deep: fc.record({ leaf: fc.record({ x: text }) }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(model, (generated) => {
      // fast-check's records have no prototype, which strict equality minds.
      const value: typeof generated = JSON.parse(JSON.stringify(generated));
      assert.deepEqual(codec.decode(parseXml(writeXml(codec.encode('thing', value)))), value);
    }),
  );
});

test('line ends in attributes survive', () => {
  const codecOfValue = element({ value: attribute() });
  const value = 'a\nb\t"c" <d> & \'e\'';
  assert.deepEqual(codecOfValue.decode(parseXml(writeXml(codecOfValue.encode('arg', { value })))), { value });
});

test('control characters are refused by name', () => {
  assert.throws(() => writeXml(codec.encode('thing', { kind: 'a\u0000' })), XmlCharacterError);
});

test('what is not one well-formed element is refused', () => {
  for (const broken of ['', '<a>', '<a/><b/>', 'text']) assert.throws(() => parseXml(broken), XmlParseError);
});

test('a list may be longer than a call may have arguments', () => {
  const items = Array.from({ length: 300_000 }, (_, id) => ({ id, value: '' }));
  assert.equal(codec.encode('thing', { items }).children.length, items.length);
});
