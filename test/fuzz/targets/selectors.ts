/** Label and field selectors of queries. */
import { StatusError } from '@podvisor/base';
import { parseFieldSelector } from '../../../packages/apiserver/src/wire/field-selector.ts';
import { parseLabelSelector } from '../../../packages/apiserver/src/wire/label-selector.ts';
import type { Random } from '../frame/random.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';

const refuses = (error: unknown): boolean => error instanceof StatusError;
const WORDS = [
  '=',
  '==',
  '!=',
  '!',
  ',',
  ' in ',
  ' notin ',
  '(',
  ')',
  '>',
  '<',
  'constructor',
  '__proto__',
  'a',
  'a.b/c',
  '1',
  '\\,',
  '\\',
  ' ',
];
const some = (random: Random): Uint8Array =>
  bytes(Array.from({ length: 1 + random.below(14) }, () => random.pick(WORDS)).join(''));

export const labels: FuzzTarget = {
  seeds: ['a=b,c!=d', 'x in (a,b,),!y,z', 'n>5,m<3,o notin (p)', 'example.com/k==v'].map(bytes),
  words: WORDS,
  generate: some,
  refuses,
  feed: (input) => {
    const selector = text(input);
    const matches = parseLabelSelector(selector);
    matches({ a: 'b', x: 'a' });
    matches(undefined);
    if (/^(constructor|toString|hasOwnProperty)$/.test(selector))
      expect(!matches({}), 'what nobody labelled has no label');
  },
};

export const fields: FuzzTarget = {
  seeds: ['metadata.name=a,status.phase!=Failed', 'spec.nodeName==n\\,1,', 'a=\\=\\\\'].map(bytes),
  words: WORDS,
  generate: some,
  refuses,
  feed: (input) => {
    for (const { field, value } of parseFieldSelector(text(input)))
      expect(typeof field === 'string' && typeof value === 'string', 'requirements are texts');
  },
};
