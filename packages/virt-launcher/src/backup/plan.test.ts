import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BackupOptions } from '@podvisor/api';
import { backupDirectory, checkpointXml, planPull, planPush } from './plan.ts';
import { rawDisk, trackedVolume } from './tracked-disks.ts';

const options: BackupOptions = {
  cmd: 'Start',
  backupName: 'b1',
  backupStartTime: '2026-01-02T03:04:05Z',
  checkpoint: true,
};
const disks = [
  { volume: '', target: 'vda', tracked: false },
  { volume: 'data', target: 'vdb', tracked: true },
  { volume: 'more', target: 'vdc', tracked: true },
];

describe('what libvirt is told for a backup', () => {
  test('a full one copies every tracked disk into a file of its own', () => {
    const directory = backupDirectory('/claim', 'vm', options);
    assert.equal(directory, '/claim/vm/b1-2026-01-02_03-04-05');
    const plan = planPush(options, disks, directory);
    assert.deepEqual(plan.volumes, ['data', 'more']);
    assert.deepEqual(plan.fullFiles, [`${directory}/b1-data.qcow2`, `${directory}/b1-more.qcow2`]);
    assert.equal(plan.checkpointName, 'b1-2026-01-02_03-04-05');
    assert.match(plan.xml, /<disk name='vda' backup='no'\/><disk name='vdb' backup='yes' type='file'>/);
    assert.doesNotMatch(plan.xml, /incremental|backupmode/);
    assert.match(plan.checkpointXml ?? '', /name='vda' checkpoint='no'.*name='vdb' checkpoint='bitmap'/);
  });

  test('an increment copies a disk whole that the checkpoint does not cover', () => {
    const since = { ...options, incremental: 'b0-x', incrementalVolumes: ['data'] };
    const plan = planPush(since, disks, '/d');
    assert.match(plan.xml, /<incremental>b0-x<\/incremental>/);
    assert.match(plan.xml, /name='vdc' backup='yes' type='file' backupmode='full'/);
    assert.doesNotMatch(plan.xml, /name='vdb'[^>]*backupmode/);
    assert.deepEqual(plan.fullFiles, ['/d/b1-more.qcow2']);
    const none = planPush({ ...since, incrementalVolumes: ['gone'] }, disks, '/d');
    assert.doesNotMatch(none.xml, /<incremental>/);
  });

  test('without a tracker there is no checkpoint', () => {
    const plan = planPush({ ...options, checkpoint: false }, disks, '/d');
    assert.deepEqual([plan.checkpointName, plan.checkpointXml], [undefined, undefined]);
  });

  test('what is pulled is served at a socket, changed blocks under the name of the backup', () => {
    const since = { ...options, incremental: 'b0-x', incrementalVolumes: ['data'] };
    const plan = planPull(since, disks, '/claim', '/claim/vm/b1');
    assert.match(
      plan.xml,
      /^<domainbackup mode='pull'><incremental>b0-x<\/incremental><server transport='unix'/,
    );
    assert.match(plan.xml, /socket='\/claim\/[0-9a-f]{6}\.sock'/);
    assert.match(plan.xml, /exportname='data' exportbitmap='b1-2026-01-02_03-04-05'><scratch file=/);
    assert.match(plan.xml, /exportname='more' backupmode='full'>/);
    const full = planPull(options, disks, '/claim', '/claim/vm/b1');
    assert.doesNotMatch(full.xml, /incremental|exportbitmap|backupmode/);
    assert.deepEqual(full.fullFiles, []);
  });

  test('names cannot leave their place in the XML', () => {
    const xml = checkpointXml("a<b>&'", disks, 5_000);
    assert.match(xml, /<name>a&lt;b>&amp;&apos;<\/name><creationTime>5<\/creationTime>/);
  });
});

describe('disks that are tracked', () => {
  const overlay = '/var/run/kubevirt-private/libvirt/qemu/cbt/data.qcow2';

  test('are known by where their bitmaps are', () => {
    assert.equal(trackedVolume({ source: { file: overlay } }), 'data');
    assert.equal(
      trackedVolume({ source: { file: '/var/run/kubevirt-private/vmi-disks/data/disk.img' } }),
      undefined,
    );
    assert.equal(trackedVolume({ source: { dev: '/dev/data' } }), undefined);
  });

  test('show the disk behind them to who cares for it', () => {
    const disk = { type: 'file', source: { file: overlay } };
    assert.deepEqual(
      rawDisk(disk, () => '/dev/data'),
      { type: 'block', source: { dev: '/dev/data' } },
    );
    assert.deepEqual(
      rawDisk(disk, () => '/x/disk.img'),
      { type: 'file', source: { file: '/x/disk.img' } },
    );
    assert.deepEqual(
      rawDisk(disk, () => undefined),
      disk,
    );
  });
});
