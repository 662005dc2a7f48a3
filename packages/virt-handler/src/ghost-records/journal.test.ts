import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireUid, type Uid } from '@podvisor/base';
import { Journal } from './journal.ts';

const uid = (n: number): Uid => requireUid(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);

test('records survive a restart; broken ones are dropped; names never become paths', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'pvj-'));
  try {
    const first = new Journal(stateDir);
    first.put({ namespace: 'shop', name: 'web', uid: uid(1), podUid: uid(11) });
    first.put({ namespace: 'shop', name: 'web', uid: uid(2), podUid: uid(12) });
    first.put({ namespace: 'shop', name: 'db', uid: uid(3), podUid: uid(13), syncedSpec: 'x' });
    first.remove(uid(2));
    writeFileSync(join(stateDir, 'ghost-records', `${uid(4)}.json`), `{"uid":"${uid(4)}"`);
    writeFileSync(join(stateDir, 'ghost-records', `${uid(5)}.json.new`), '{}');
    const second = new Journal(stateDir);
    assert.deepEqual(
      second.of('shop', 'web').map((r) => r.uid),
      [uid(1)],
    );
    assert.equal(second.get(uid(3))?.syncedSpec, 'x');
    assert.deepEqual(readdirSync(join(stateDir, 'ghost-records')).toSorted(), [
      `${uid(1)}.json`,
      `${uid(3)}.json`,
    ]);
    for (const changes of [
      { uid: '../../etc/x' },
      { podUid: '../x' },
      { migrationUid: '../x' },
      { plugged: [{ volume: '../x' }] },
    ]) {
      const record = { namespace: 'a', name: 'b', uid: uid(6), podUid: uid(7), ...changes };
      writeFileSync(join(stateDir, 'ghost-records', `${uid(6)}.json`), JSON.stringify(record));
      assert.equal(new Journal(stateDir).list().length, 2, JSON.stringify(changes));
    }
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
});

test('a Pod is of another VMI as long as that has it in its record', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'pvj-'));
  try {
    const journal = new Journal(stateDir);
    const record = { namespace: 'shop', name: 'web', uid: uid(1), podUid: uid(11) };
    assert.equal(journal.isOfAnother(uid(11), uid(2)), false);
    journal.put(record);
    for (const one of [journal, new Journal(stateDir)]) {
      assert.equal(one.isOfAnother(uid(11), uid(1)), false);
      assert.equal(one.isOfAnother(uid(11), uid(2)), true);
      assert.equal(one.isOfAnother(uid(11), undefined), true);
    }
    journal.put({ ...record, uid: uid(2) });
    assert.equal(journal.isOfAnother(uid(11), uid(1)), true, 'two say so');
    journal.put({ ...record, podUid: uid(12) });
    assert.equal(journal.isOfAnother(uid(11), uid(2)), false, 'the other has a new one');
    journal.remove(uid(2));
    assert.equal(journal.isOfAnother(uid(11), uid(1)), false);
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
});
