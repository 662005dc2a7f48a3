import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOnNode, mappedId } from './user-namespace.ts';

test('an id is that of the one range that begins at 0', () => {
  assert.equal(mappedId('         0 1879048192      65536\n', 107), 1_879_048_299);
  assert.equal(mappedId('         0          0 4294967295\n', 107), 107);
});

test('maps that a process can write for itself name nobody', () => {
  for (const map of [
    '',
    '       107       1000          1\n',
    '         0       1000          1\n',
    '         0 1879048192        108\n',
    '         0       1000          1\n         1 1879048192      65536\n',
    '         5 1879048192      65536\n',
  ])
    assert.equal(mappedId(map, 107), undefined, map);
  assert.equal(mappedId('0 1879048192 65536\n', 65_536), undefined);
});

test('a process of our own namespace has the ids that we see', () => {
  assert.equal(idOnNode(process.pid, 107), 107);
  assert.equal(idOnNode(2 ** 30, 107), undefined);
});
