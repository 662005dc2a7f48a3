import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloneRights } from './clone-rights.ts';

for (const [kind, expected] of [
  ['pvc', ['cdi.kubevirt.io/datavolumes/source', '/pods/']],
  ['snapshot', ['cdi.kubevirt.io/datavolumes/source', '/pods/ and /pvcs/']],
] as const)
  test(`rights to clone a ${kind}`, () => {
    const rights = cloneRights({ kind, namespace: 'golden', name: 'image' });
    assert.deepEqual(
      rights.map((all) =>
        all.map(({ group, resource, subresource }) => `${group}/${resource}/${subresource}`).join(' and '),
      ),
      expected,
    );
    for (const right of rights.flat()) assert.deepEqual([right.namespace, right.name], ['golden', 'image']);
  });
