import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { vmiOf } from '../testing/vmi.ts';
import { hostnameOf, vmiIdOf } from './names.ts';
import { sha1Hex } from './sha1.ts';

test('our SHA-1 is SHA-1', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      assert.equal(sha1Hex(text), createHash('sha1').update(text).digest('hex'));
    }),
  );
});

test('a long name keeps a hash of the whole', () => {
  const id = vmiIdOf('a-very-very-long-virtual-machine-instance-name-used-for-testing-this-logic');
  assert.equal(id, 'a-very-very-long-virtual-machine-instance-name-used-fo-88ed080c');
  assert.equal(vmiIdOf('short'), 'short');
});

test('the host name is the part before the first dot, and a valid label', () => {
  assert.equal(hostnameOf(vmiOf({}, {}, { name: 'web.example' })), 'web');
  assert.equal(hostnameOf(vmiOf({}, { hostname: 'h' })), 'h');
  assert.equal(hostnameOf(vmiOf({}, {}, { name: `${'a'.repeat(62)}-b` })).length, 62);
});
