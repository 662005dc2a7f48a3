import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  OCCASIONAL_RIGHTS,
  UNRECORDED_RIGHTS,
} from '../packages/cluster/src/bootstrap-objects/unrecorded-rights.ts';
import { judgeRights } from './unused-rights.ts';

const whole = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../packages/cluster/src/bootstrap-objects/testing/rbac-recording.json'),
    'utf8',
  ),
) as string[];
const without = (start: string): string[] => whole.filter((line) => !line.startsWith(start));

test('what is used and not granted fails, in part of a run too', () => {
  const escalate = 'kubevirt-controller escalate rbac.authorization.k8s.io/roles tenant';
  for (const isWhole of [true, false])
    assert.deepEqual(judgeRights(isWhole, [...whole, escalate]).failures, [
      `used and granted by no list: ${escalate}`,
    ]);
});

test('what is granted and not used fails a whole run at once', () => {
  const less = without('kubevirt-controller create /pods ');
  assert.deepEqual(judgeRights(true, whole), { failures: [], hints: [] });
  const { failures } = judgeRights(true, less);
  assert.equal(failures.length, 1);
  assert.match(failures[0] ?? '', /^granted and not used .*: kubevirt-controller create \/pods cluster$/);
  // What did not run has used nothing.
  assert.deepEqual(judgeRights(false, less), { failures: [], hints: [] });
});

test('what depends on time may be used or not; a watch that had no end yet was used', () => {
  const occasional = Object.keys(OCCASIONAL_RIGHTS);
  const rare = occasional.map((right) => right.replace(/ cluster$/, ' '));
  const less = whole.filter((line) => rare.every((right) => !line.startsWith(right)));
  assert.ok(less.length < whole.length);
  assert.deepEqual(judgeRights(true, less).failures, []);
  const noWatch = whole.filter((line) => !line.includes(' watch '));
  assert.deepEqual(judgeRights(true, noWatch).failures, []);
  const noList = noWatch.filter((line) => !line.startsWith('kubevirt-controller list /pods '));
  assert.equal(judgeRights(true, noList).failures.length, 2, 'neither listed nor watched');
});

test('that a right is used of which it is said that no test uses it is told', () => {
  const [first = ''] = Object.keys(UNRECORDED_RIGHTS);
  const { failures, hints } = judgeRights(true, [...whole, first]);
  assert.deepEqual(failures, []);
  assert.deepEqual(hints, [`used after all (take it out of UNRECORDED_RIGHTS): ${first}`]);
});
