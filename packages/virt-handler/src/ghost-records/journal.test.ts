import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journal } from './journal.ts';

test('records survive a restart; broken ones are dropped; names never become paths', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'pvj-'));
  try {
    const first = new Journal(stateDir);
    first.put({ namespace: 'shop', name: 'web', uid: 'u-1', podUid: 'p-1' });
    first.put({ namespace: 'shop', name: 'web', uid: 'u-2', podUid: 'p-2' });
    first.put({ namespace: 'shop', name: 'db', uid: 'u-3', podUid: 'p-3', syncedSpec: 'x' });
    first.remove('u-2');
    writeFileSync(join(stateDir, 'ghost-records', 'u-4.json'), '{"uid":"u-4"');
    writeFileSync(join(stateDir, 'ghost-records', 'u-5.json.new'), '{}');
    const second = new Journal(stateDir);
    assert.deepEqual(
      second.of('shop', 'web').map((r) => r.uid),
      ['u-1'],
    );
    assert.equal(second.get('u-3')?.syncedSpec, 'x');
    assert.deepEqual(readdirSync(join(stateDir, 'ghost-records')).toSorted(), ['u-1.json', 'u-3.json']);
    assert.throws(
      () => second.put({ namespace: 'a', name: 'b', uid: '../../etc/x', podUid: 'p' }),
      /not a UID/,
    );
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
});
