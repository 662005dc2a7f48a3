/**
 * No regular expression of a component can be made to try for ever: texts of tenants and guests are held against them, and
 * JavaScript's engine tries all ways. Looked at are those that stand in the code; those that Go's syntax has no words for are
 * listed below, with what was seen when they were read.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { isAmbiguous } from './ambiguity.ts';

/** Run by who uses the command line or the page, on his own machine. */
const OWN_MACHINE = /^packages\/(virtctl|console)\//;

const known: readonly [source: string, isAmbiguous: boolean][] = [
  ['^(a+)+$', true],
  ['^(a|a)*$', true],
  ['^(a|ab|b)*$', true],
  ['(a*)*b', true],
  ['^[^;]*(;\\s*([^\\s;=]+=("[^"]*"|[^\\s;"]*))?\\s*)*$', true],
  ['^(\\d+(\\.\\d+)?(ns|us|ms|s|m|h))+$', false],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$', false],
  ['^(a+b)+$', false],
  ['a*a*a*', false],
];

for (const [source, expected] of known)
  test(`${source} is ${expected ? '' : 'not '}ambiguous`, () => {
    assert.equal(isAmbiguous(source), expected);
  });

test('no expression of a component takes time that doubles with the text', () => {
  const found: string[] = [];
  const others: string[] = [];
  let looked = 0;
  for (const file of globSync('packages/*/src/**/*.{ts,tsx}').toSorted()) {
    if (OWN_MACHINE.test(file) || /\.test\.ts$|\/testing\/|\/gen\//.test(file)) continue;
    for (const source of expressionsOf(file)) {
      looked += 1;
      try {
        if (isAmbiguous(source)) found.push(`${file}: ${source}`);
      } catch {
        // Only where something is repeated can there be many ways.
        if (/\)[*+{]/.test(source)) others.push(source);
      }
    }
  }
  assert.ok(looked > 300, `${looked} expressions`);
  assert.deepEqual(found, []);
  assert.deepEqual(others.toSorted(), [...READ_BY_HAND].toSorted());
});

/** Each way of a repetition begins with another character: a JSON path's texts, and the key of a field selector. */
const READ_BY_HAND: readonly string[] = [
  String.raw`\.?([A-Za-z0-9_$․/-]+|(?<=\.)\*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|\[(\*)\]|\[\?\(@\.([A-Za-z0-9_.-]+)\s*==\s*["']([^"']*)["']\)\]`,
  String.raw`^((?:[^\\=!]|\\.|!(?!=))*?)(!=|==|=)([\s\S]*)$`,
];

function expressionsOf(file: string): readonly string[] {
  const sources: string[] = [];
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  new Visitor({
    Literal: (node) => {
      if ('regex' in node && node.regex !== null) sources.push(node.regex.pattern.replaceAll('\\/', '/'));
    },
  }).visit(program);
  return sources;
}
