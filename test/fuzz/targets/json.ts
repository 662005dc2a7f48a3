/** JSON bodies: the depth check, the parser, the one that merges doubled keys, and the words of Go's errors. */
import { duplicateKeys, jsonProblem } from '../../../packages/apiserver/src/wire/go-json.ts';
import { cloneJson, parseJson, sortedText } from '../../../packages/apiserver/src/wire/json.ts';
import { parseMerging } from '../../../packages/apiserver/src/wire/merging-json.ts';
import { isTooDeep } from '../../../packages/apiserver/src/wire/nesting.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';
import { jsonText } from './json-grammar.ts';

export const target: FuzzTarget = {
  seeds: [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"x":"y"}},"data":{"k":"v"}}',
    '[1,-0,2.5e10,9223372036854775807,18446744073709551616,true,null,"\\u00e9\\n"]',
    '{"a":{"b":1},"a":{"c":[{}]}}',
  ].map(bytes),
  words: [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\u0000',
    '\\ud800',
    '"__proto__":',
    '"constructor":',
    '1e999',
    '-0',
  ],
  generate: (random) => bytes(jsonText(random)),
  refuses: (error) => error instanceof SyntaxError,
  feed: (input) => {
    const body = text(input);
    if (isTooDeep(body)) return;
    let value;
    try {
      value = parseJson(body);
    } catch (error) {
      expect(jsonProblem(body) !== undefined, 'what is refused has a reason');
      throw error;
    }
    expect(jsonProblem(body) === undefined, 'what is taken has no problem');
    expect(
      duplicateKeys(body, value).join() === duplicateKeys(body, undefined).join(),
      'the short way to find keys that are given twice finds what the long one does',
    );
    parseMerging(body);
    const written = sortedText(cloneJson(value));
    expect(sortedText(parseJson(written)) === written, 'what is written reads as the same');
  },
};
