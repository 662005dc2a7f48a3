import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantityMeant } from './quantity-meant.ts';

for (const [text, meant] of [
  ['192MB', ': write 192M or 192Mi'],
  ['2 GiB', ': write 2G or 2Gi'],
  ['64kb', ': write 64k or 64Ki'],
  ['lots', ''],
] as const)
  test(`${text} is answered with what was meant`, () => assert.equal(quantityMeant(text), meant));
