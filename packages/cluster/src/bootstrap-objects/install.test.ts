import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { differs } from '@podvisor/virt-operator';
import { installObjects } from './install.ts';

const cases: readonly [string, unknown, unknown, boolean][] = [
  ['equal', { a: 1, b: ['x'] }, { a: 1, b: ['x'] }, false],
  ['the server added fields', { spec: { a: 1 } }, { spec: { a: 1, b: 2 }, status: {} }, false],
  ['the server dropped an empty object', { spec: {} }, {}, false],
  ['the server dropped an empty list', { rules: [] }, {}, false],
  ['a field is missing', { spec: { a: 1 } }, { spec: {} }, true],
  ['a value changed', { spec: { port: 1 } }, { spec: { port: 2 } }, true],
  ['a list got longer', { rules: ['a'] }, { rules: ['a', 'b'] }, true],
  ['a list lost its last item', { rules: ['a'] }, { rules: [] }, true],
  [
    'defaults inside list items',
    { webhooks: [{ name: 'a' }] },
    { webhooks: [{ name: 'a', matchPolicy: 'Equivalent' }] },
    false,
  ],
  ['the server left a zero value out', { a: false, b: 0, c: '' }, {}, false],
  ['a zero value that is something else', { a: false }, { a: true }, true],
  ['undefined wants nothing', { a: undefined }, {}, false],
];

for (const [name, wanted, live, expected] of cases) {
  test(`${name}: ${expected ? 'differs' : 'no difference'}`, () =>
    assert.equal(differs(wanted, live), expected));
}

test('the configuration of a KubeVirt that is there is left alone; annotations that it never had come', async () => {
  const wanted = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt', annotations: { ours: 'true', theirs: 'true' } },
    spec: { configuration: { developerConfiguration: { useEmulation: true } } },
  };
  const live = {
    ...wanted,
    metadata: { ...wanted.metadata, annotations: { theirs: 'false' } },
    spec: {},
    status: { phase: 'Deployed' },
  };
  const bodies: unknown[] = [];
  const client: object = {
    find: async () => live,
    patch: async (_resource: unknown, _key: unknown, { body }: { readonly body: unknown }) => {
      bodies.push(body);
    },
  };
  const install = client as Parameters<typeof installObjects>[0];
  assert.equal(await installObjects(install, [wanted], new FakeClock()), 1);
  assert.deepEqual(bodies, [{ metadata: { annotations: { ours: 'true' } } }]);
});
