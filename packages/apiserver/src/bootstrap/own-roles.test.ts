import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminRequest } from '../testing/admin-request.ts';
import { startTestServer } from '../testing/test-server.ts';

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const WIDE = {
  rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch', 'update', 'delete'] }],
};

test('a role by which an older home let all controllers change everything is narrowed at the next start, and told', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-old-'));
  const told: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: (fields: object) => void told.push(fields),
    error: () => undefined,
  };
  const rulesAfterStart = async (change: object): Promise<unknown> => {
    await using home = await startTestServer({ directory, overrides: { log } });
    const path = `${ROLES}/system:kube-controller-manager`;
    const { body } = await adminRequest(home, 'GET', path);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { code } = await adminRequest(home, 'PATCH', path, { body: JSON.stringify(change), headers });
    assert.equal(code, 200);
    return body['rules'];
  };
  try {
    const own = [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch'] }];
    assert.deepEqual(await rulesAfterStart(WIDE), own);
    assert.deepEqual(told, []);
    const kept = { metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } } };
    assert.deepEqual(await rulesAfterStart({ ...WIDE, ...kept }), own);
    assert.deepEqual(told, [{ role: 'system:kube-controller-manager' }]);
    assert.deepEqual(await rulesAfterStart({}), WIDE.rules, 'somebody wants it so');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
