import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Domain } from '@podvisor/translate';
import { changedMacs, withMacs } from './own-macs.ts';

const domain = (macs: Readonly<Record<string, string>>): Domain =>
  ({
    devices: {
      interfaces: Object.entries(macs).map(([name, address]) => ({ alias: { name }, mac: { address } })),
    },
  }) as unknown as Domain;

test('interfaces are told by their names, in whatever order they are', () => {
  const saved = domain({
    'ua-a': '02:00:00:00:00:0A',
    'ua-b': '02:00:00:00:00:0b',
    'ua-gone': '02:00:00:00:00:0c',
  });
  const now = domain({
    'ua-b': '02:00:00:00:00:0a',
    'ua-a': '02:00:00:00:00:0B',
    'ua-new': '02:00:00:00:00:0d',
  });
  assert.deepEqual(changedMacs(saved, now), [
    { before: '02:00:00:00:00:0a', after: '02:00:00:00:00:0b' },
    { before: '02:00:00:00:00:0b', after: '02:00:00:00:00:0a' },
  ]);
  assert.deepEqual(changedMacs(saved, saved), []);
});

test('addresses may change places in the domain', () => {
  const xml = "<interface><mac address='02:00:00:00:00:0A'/></interface><mac address='02:00:00:00:00:0b'/>";
  const changed = [
    { before: '02:00:00:00:00:0a', after: '02:00:00:00:00:0b' },
    { before: '02:00:00:00:00:0b', after: '02:00:00:00:00:0a' },
  ];
  assert.equal(
    withMacs(xml, changed),
    "<interface><mac address='02:00:00:00:00:0b'/></interface><mac address='02:00:00:00:00:0a'/>",
  );
  assert.equal(withMacs(xml, []), xml);
});
