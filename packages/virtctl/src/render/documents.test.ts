import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocuments } from './documents.ts';

const bad: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ['broken YAML', 'a: [', /^f\.yaml: not readable as YAML or JSON: /],
  ['nothing', '---\n', /^f\.yaml: holds no object$/],
  ['a list', '[1]', /^f\.yaml: is not an object with apiVersion and kind$/],
  ['no kind', 'apiVersion: v1', /^f\.yaml: field kind is missing$/],
  [
    'a bad second document',
    'apiVersion: v1\nkind: A\n---\nkind: B',
    /^f\.yaml, document 2: field apiVersion is missing$/,
  ],
];

for (const [what, text, message] of bad) {
  test(`${what} is refused with its place`, () => {
    assert.throws(() => parseDocuments(text, 'f.yaml'), { name: 'InputError', message });
  });
}

test('documents, also inside a List, keep their place', () => {
  const text =
    'apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: B}';
  assert.deepEqual(
    parseDocuments(text, 'f').map(({ where, object }) => [where, object.kind]),
    [
      ['f, document 1', 'A'],
      ['f, document 2, item 1', 'B'],
    ],
  );
});
