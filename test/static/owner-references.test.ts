/**
 * Who owns an object is decided in one module. A reference of an owner is the word of whoever wrote the object: code that
 * reads the field for itself soon compares a UID alone, and takes what another namespace wrote.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';

const FIELD = 'ownerReferences';

/** Files that name the field, and for what. One of them decides by it whose an object is. */
const NAMED_IN: Readonly<Record<string, string>> = {
  'packages/api/src/admission/controller-policies.ts': 'guards who may write it',
  'packages/api/src/admission/handler-policies.ts': 'guards who may write it',
  'packages/api/src/admission/match-conditions.ts': 'guards who may write it',
  'packages/api/src/ownership.ts': 'decides',
  'packages/api/src/rules/embedded-metadata.ts': 'its form',
  'packages/apiserver/src/admission/node-restriction.ts': 'a word of a message',
  'packages/apiserver/src/registry/types/core.ts': 'its form',
  'packages/apiserver/src/verbs/metadata.ts': 'its form',
  'packages/apiserver/src/verbs/serialize.ts': 'the order of fields',
  'packages/kube/src/informer/shared-informers.ts': 'keeps it in a cache',
  'packages/virt-controller/src/caches/projections.ts': 'keeps it in a cache',
};

/** Whether the program reads the field, or names it in a text; a new object that is given one does neither. */
function namesField(file: string, text: string): boolean {
  if (!text.includes(FIELD)) return false;
  let isNamed = false;
  const look = (name: unknown): void => {
    isNamed ||= typeof name === 'string' && name.includes(FIELD);
  };
  new Visitor({
    MemberExpression: ({ property }) => look('name' in property ? property.name : undefined),
    ObjectPattern: ({ properties }) => {
      for (const property of properties)
        if (property.type === 'Property' && property.key.type === 'Identifier') look(property.key.name);
    },
    Literal: ({ value }) => look(value),
    TemplateElement: ({ value }) => look(value.raw),
  }).visit(parseSync(file, text).program);
  return isNamed;
}

const known: readonly [text: string, isNamed: boolean][] = [
  ['pod.metadata.ownerReferences?.[0]', true],
  [`pod.metadata['ownerReferences']`, true],
  ['const { ownerReferences = [] } = pod.metadata', true],
  ['const { metadata: { ownerReferences: owners } } = pod', true],
  ['pods.filter(({ metadata: { ownerReferences } }) => ownerReferences)', true],
  [`at(pod, 'metadata', 'ownerReferences')`, true],
  ['const rule = `object.metadata.ownerReferences.exists(o, ${x})`', true],
  ['create({ metadata: { ownerReferences: [reference] } })', false],
  ['patch({ metadata: { uid, ownerReferences } })', false],
  ['interface Meta { ownerReferences?: string[] } // ownerReferences', false],
];

for (const [text, isNamed] of known)
  test(`${text} ${isNamed ? 'reads' : 'does not read'} owners`, () => {
    assert.equal(namesField('known.ts', text), isNamed);
  });

test('nobody but the module of ownership reads owners', () => {
  const readers = globSync('packages/*/src/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$|\/testing\/|\/gen\//.test(file))
    .filter((file) => namesField(file, readFileSync(file, 'utf8')))
    .toSorted();
  assert.deepEqual(readers, Object.keys(NAMED_IN));
});
