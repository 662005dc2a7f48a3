import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '@podvisor/api';
import { fenceRefusal } from './node-loss.ts';

const node = (status: string, more: object = {}): Node =>
  ({ metadata: { name: 'a', ...more }, status: { conditions: [{ type: 'Ready', status }] } }) as Node;
const flags = { confirmedOff: false, force: false, undo: false };
const said = { annotations: { 'podvisor.io/fence': '{}' } };

const cases: readonly [string, Node | undefined, Partial<typeof flags>, RegExp | undefined][] = [
  ['no such node', undefined, { confirmedOff: true }, /there is no node "a"; there are b/],
  ['not confirmed', node('Unknown'), {}, /make sure that the machine .* --confirmed-off/],
  ['ready', node('True'), { confirmedOff: true }, /is Ready: it is heard of/],
  ['ready, with force', node('True'), { confirmedOff: true, force: true }, undefined],
  ['force alone', node('True'), { force: true }, /make sure/],
  ['lost', node('Unknown'), { confirmedOff: true }, undefined],
  ['undo nothing', node('Unknown'), { undo: true }, /nobody has said/],
  ['undo', node('Unknown', said), { undo: true }, undefined],
  ['undo and say', node('Unknown', said), { undo: true, confirmedOff: true }, /goes with neither/],
];
for (const [name, found, more, refusal] of cases)
  test(name, () => {
    const others = [{ metadata: { name: 'b' } } as Node];
    const why = fenceRefusal('a', found, others, { ...flags, ...more });
    if (refusal === undefined) assert.equal(why, undefined);
    else assert.match(why ?? '', refusal);
  });
