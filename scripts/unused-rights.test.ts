import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { judgeRights } from './unused-rights.ts';

const whole = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../packages/cluster/src/bootstrap-objects/testing/rbac-recording.json'),
    'utf8',
  ),
) as string[];

test('what is used and not granted fails at once; what is not used fails when three whole runs in a row did not use it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-rights-'));
  const history = join(directory, 'unused-rights.json');
  const less = whole.filter((line) => !line.startsWith('kubevirt-controller create /pods '));
  const right = 'kubevirt-controller create /pods cluster';
  try {
    assert.deepEqual(judgeRights(true, { recording: whole, history }), { failures: [], unused: [] });
    for (const run of [1, 2]) {
      const { failures, unused } = judgeRights(true, { recording: less, history });
      assert.deepEqual([failures, unused], [[], [right]], `run ${run}`);
      // A run with failures says nothing of it, neither way.
      assert.deepEqual(judgeRights(false, { recording: [], history }), { failures: [], unused: [] });
    }
    const third = judgeRights(true, { recording: less, history }).failures;
    assert.deepEqual(third, [`granted and not used in 3 runs: ${right}`]);
    assert.deepEqual(judgeRights(true, { recording: whole, history }).failures, []);
    const escalate = 'kubevirt-controller escalate rbac.authorization.k8s.io/roles tenant';
    assert.deepEqual(judgeRights(false, { recording: [escalate], history }).failures, [
      `used and granted by no list: ${escalate}`,
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
