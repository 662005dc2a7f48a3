/** Who may fill a disk from another namespace: by the right made for it, or by being able to read it anyway. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../object-store.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { Attributes } from './attributes.ts';
import { dataVolumes } from './data-volumes.ts';

const pvc = { pvc: { namespace: 'golden', name: 'image' } };
const snapshot = { snapshot: { namespace: 'golden', name: 'image' } };

function isAllowed(source: object, rights: readonly string[]): boolean {
  const store = { latest: () => undefined } as unknown as Store;
  const authorizer = {
    authorize: (_user: unknown, access: { namespace: string; resource: string; subresource: string }) => ({
      allowed: rights.includes(`${access.namespace}/${access.resource}/${access.subresource}`),
    }),
  } as unknown as Authorizer;
  const attributes = {
    definition: { group: 'cdi.kubevirt.io', plural: 'datavolumes' },
    operation: 'CREATE',
    subresource: '',
    object: { metadata: { name: 'copy' }, spec: { storage: {}, ...source } },
    namespace: 'team',
    name: 'copy',
    user: { username: 'bob', groups: [] },
  } as unknown as Attributes;
  try {
    void dataVolumes(store, authorizer).validate?.(attributes);
    return true;
  } catch (error) {
    assert.match(String(error), /User bob has insufficient permissions in clone source namespace golden/);
    return false;
  }
}

for (const [what, source, rights, expected] of [
  ['a claim, no right', pvc, [], false],
  ['a claim, the right made for it', pvc, ['golden/datavolumes/source'], true],
  ['a claim, Pods may be created beside it', pvc, ['golden/pods/'], true],
  ['a claim, Pods may be created elsewhere', pvc, ['team/pods/'], false],
  ['a snapshot, the right made for it', snapshot, ['golden/datavolumes/source'], true],
  ['a snapshot, Pods may be created beside it', snapshot, ['golden/pods/'], false],
  ['a snapshot, everything may be created beside it', snapshot, ['golden/pods/', 'golden/pvcs/'], true],
] as const)
  test(`${what}: ${expected ? 'allowed' : 'refused'}`, () => {
    assert.equal(isAllowed({ source }, rights), expected);
  });

test('a reference that leads nowhere yet counts where it leads', () => {
  const sourceRef = { kind: 'DataSource', namespace: 'golden', name: 'later' };
  assert.equal(isAllowed({ sourceRef }, []), false);
  assert.equal(isAllowed({ sourceRef }, ['golden/pods/']), true);
});
