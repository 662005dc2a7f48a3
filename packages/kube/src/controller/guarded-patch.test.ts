import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyJsonPatch, isStatus, StatusError } from '@podvisor/base';
import { entryPath, guardedChange, patchGuarded } from './guarded-patch.ts';
import { resources } from '../well-known.ts';

const at = (field: unknown): { spec: Record<string, unknown> } => ({
  spec: field === undefined ? {} : { field },
});

test('a change applies only where the value is the one that was seen', () => {
  const values = [undefined, 'old', 'other', [], ['a']];
  for (const seen of values)
    for (const actual of values)
      for (const next of [undefined, 'new']) {
        const object = at(structuredClone(actual));
        const patch = guardedChange('/spec/field', seen, next);
        const isSame = JSON.stringify(seen) === JSON.stringify(actual);
        if (patch.length === 0) assert.deepEqual([seen, next], [undefined, undefined]);
        else if (isSame) {
          applyJsonPatch(object, patch);
          assert.deepEqual(object, at(next));
        } else assert.throws(() => applyJsonPatch(object, patch), /testing value/);
      }
});

test('a name with a slash is one step of a path', () => {
  assert.equal(entryPath('/metadata/labels', 'a.b/c~d'), '/metadata/labels/a.b~1c~0d');
});

test('a failed test is a conflict, another refusal is what it is', async () => {
  const refusing = {
    patch: () => Promise.reject(new StatusError('Invalid', 'testing value /spec/field failed')),
  };
  const key = { namespace: 'n', name: 'p' };
  const send = (body: ReturnType<typeof guardedChange>): Promise<unknown> =>
    patchGuarded(refusing, resources.pods, key, body, AbortSignal.timeout(1000));
  await assert.rejects(send(guardedChange('/spec/field', 1, 2)), (error) => isStatus(error, 'Conflict'));
  await assert.rejects(send([{ op: 'add', path: '/spec/field', value: 2 }]), (error) =>
    isStatus(error, 'Invalid'),
  );
});
