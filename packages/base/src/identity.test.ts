import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDnsLabel, parseUid, requireDnsLabel, requireUid } from './identity.ts';

const UID = '6b1f0b0e-1111-4222-8333-444455556666';

test('a UID is a whole UUID in lower case', () => {
  assert.equal(parseUid(UID), UID);
  const others = [
    undefined,
    null,
    7,
    '',
    '/',
    '..',
    '6b1f0',
    UID.toUpperCase(),
    `${UID}\n`,
    ` ${UID}`,
    `${UID}/../x`,
    `../${UID}`,
    UID.replaceAll('-', '_'),
    UID.replaceAll('-', ''),
    [UID],
    { toString: () => UID },
  ];
  for (const other of others) {
    assert.equal(parseUid(other), undefined, JSON.stringify(other));
    assert.throws(() => requireUid(other, 'migration'), /^Error: migration .* is not a UID$/);
  }
});

test('a label has no separator and no dot', () => {
  for (const name of ['a', 'disk-1', '0', 'a'.repeat(63)]) assert.ok(isDnsLabel(name), name);
  const wrong = ['', '.', '..', '-a', 'a-', 'A', 'a_b', 'a/b', 'a.b', 'a\0', 'a\n', 'a'.repeat(64), 7, null];
  for (const name of wrong) {
    assert.equal(isDnsLabel(name), false, String(name));
    assert.throws(() => requireDnsLabel(name), /is not a DNS label$/);
  }
});
