import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { BackupOptions } from '@podvisor/api';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import { Backups } from './backups.ts';

const options: BackupOptions = {
  cmd: 'Start',
  backupName: 'b1',
  backupStartTime: '2026-01-02T03:04:05Z',
  targetPath: '/var/run/kubevirt/hotplug-disks/target',
  checkpoint: true,
  supersedes: 'b0-x',
};
const domain: DomainRef = { name: 'd', uuid: '00000000-0000-0000-0000-000000000000', id: 1 };
const silent = { info: () => {}, warn: () => {}, error: () => {} };

describe('backups of a launcher', () => {
  let home: string;
  let calls: string[];
  let refuses: Error | undefined;
  let freezes = true;
  let trackedSinceMs: number | undefined;

  before(() => {
    home = mkdtempSync(join(tmpdir(), 'pv-backups-'));
    mkdirSync(join(home, 'target'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  function backups(): Backups {
    calls = [];
    const connection = {
      backup: {
        begin: async () => {
          calls.push('begin');
          if (refuses !== undefined) throw refuses;
        },
        limit: async (_: DomainRef, disk: string, bytes: number) => void calls.push(`limit ${disk} ${bytes}`),
        checkpoints: async () => ['known'],
        deleteCheckpoint: async (_: DomainRef, name: string) => void calls.push(`delete ${name}`),
      },
      migration: {
        abortJob: async () => void calls.push('abort'),
        jobStats: async () => ({ type: 2, stats: { disk_total: 200, disk_processed: 50 } }),
      },
    } as unknown as LibvirtConnection;
    return new Backups({
      vmName: 'vm',
      hotplugDirectory: home,
      domain: async () => ({ connection, domain }),
      disks: async () => [{ volume: 'data', target: 'vda', tracked: true }],
      trackedSinceMs: () => trackedSinceMs,
      isMigrating: () => false,
      freeze: async () => {
        if (!freezes) throw new Error('no agent');
        calls.push('freeze');
        return async () => void calls.push('thaw');
      },
      dig: async () => void calls.push('dig'),
      onChange: () => {},
      clock: { now: () => 0, elapsed: () => 0, after: () => () => {} },
      log: silent,
    });
  }
  const end = (success: boolean, errmsg?: string) =>
    ({ kind: 'jobCompleted', domain, stats: { operation: 9, success, ...(errmsg && { errmsg }) } }) as const;
  const settled = async (one: Backups): Promise<void> => {
    while (one.isActive) await new Promise((resolve) => setImmediate(resolve));
  };
  const directory = (): readonly string[] =>
    readdirSync(join(home, 'target'), { recursive: true }).map(String);

  test('asked for twice at the same time it begins once, with a guest that stands still', async () => {
    refuses = undefined;
    const one = backups();
    await Promise.all([one.start(options), one.start(options)]);
    assert.deepEqual(calls, ['freeze', 'begin', 'thaw']);
    assert.ok(one.isActive);
    await assert.rejects(one.start({ ...options, backupName: 'b2' }), /b1 runs/);
    one.event(end(true));
    await settled(one);
    assert.deepEqual(calls.slice(3), ['dig', 'delete b0-x']);
    assert.deepEqual(
      [one.state?.failed, one.state?.checkpointName, one.state?.quiesce],
      [undefined, 'b1-2026-01-02_03-04-05', 'Succeeded'],
    );
  });

  test('what could not begin thaws, leaves nothing, and may be tried again', async () => {
    refuses = new Error('no room');
    const one = backups();
    await assert.rejects(one.start(options), /b1 could not be started/);
    assert.deepEqual(calls, ['freeze', 'begin', 'thaw']);
    assert.equal(one.state, undefined);
    assert.ok(!directory().some((path) => path.includes('b1-')));
    refuses = undefined;
    await one.start(options);
    assert.ok(one.isActive);
  });

  test('what was stopped has failed, and its files and checkpoint go', async () => {
    freezes = false;
    const one = backups();
    await one.start(options);
    assert.deepEqual(calls, ['begin']);
    assert.match(one.state?.message ?? '', /^Failed freezing guest filesystem: no agent/);
    const [made = ''] = directory().filter((path) => path.includes('b1-'));
    writeFileSync(join(home, 'target', made, 'b1-data.qcow2'), 'half');
    await one.abort({ ...options, cmd: 'Abort' });
    one.event(end(true, 'Operation canceled'));
    await settled(one);
    assert.deepEqual(calls, ['begin', 'abort', 'delete b1-2026-01-02_03-04-05']);
    assert.deepEqual([one.state?.failed, one.state?.message], [true, 'backup aborted']);
    assert.ok(!directory().some((path) => path.includes('b1-')));
    // What does not run has nothing to end.
    calls = [];
    await one.abort({ ...options, backupName: 'b9' });
    assert.deepEqual(calls, []);
  });

  test('a limit is set when the copy has begun, and how far it is can be asked', async () => {
    const one = backups();
    assert.equal(await one.progress(), undefined);
    await one.start({ ...options, skipQuiesce: true, bytesPerSecond: 4096 });
    assert.deepEqual(calls, ['begin', 'limit vda 4096']);
    assert.deepEqual(await one.progress(), { backupName: 'b1', totalBytes: 200, doneBytes: 50 });
    one.event(end(true));
    await settled(one);
    assert.equal(await one.progress(), undefined);
  });

  test('a checkpoint is not believed when the bitmaps of a disk are younger', async () => {
    const checkpoint = {
      name: 'known',
      creationTime: '2026-01-02T03:04:05Z',
      volumes: [{ volumeName: 'data' }],
    };
    for (const time of ['2026-01-02T03:04:04Z', '2026-01-02T03:04:05.900Z']) {
      trackedSinceMs = Date.parse(time);
      await backups().redefine(checkpoint);
    }
    trackedSinceMs = Date.parse('2026-01-02T03:04:06Z');
    await assert.rejects(backups().redefine(checkpoint), /bitmaps of volume data are younger/);
    trackedSinceMs = undefined;
  });

  test('only a claim that is plugged in takes a backup', async () => {
    for (const targetPath of [undefined, '/x/none', '/x/..', '/x/.'])
      await assert.rejects(
        backups().start({ ...options, targetPath }),
        /not plugged in|could not be started/,
      );
    assert.deepEqual(calls, []);
  });
});
