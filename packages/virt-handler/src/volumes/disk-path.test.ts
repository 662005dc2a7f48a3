import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskPictures } from './disk-path.ts';

const XML = `<domain type='qemu'><name>a_b</name><devices>
  <disk type='file' device='disk'><driver name='qemu' type='qcow2'/><source file='/overlay.qcow2'/>
    <backingStore type='file'><format type='qcow2'/><source file='/image'/></backingStore>
    <target dev='vda' bus='virtio'/><alias name='ua-root'/></disk>
  <disk type='block' device='disk'><driver name='qemu' type='raw'/><source dev='/dev/data'/><target dev='sda' bus='scsi'/>
    <serial>S1</serial><alias name='ua-data'/></disk>
  <disk type='file' device='cdrom'><target dev='sdb' bus='sata'/><readonly/><alias name='ua-drive'/></disk>
</devices></domain>`;
const STATS = {
  'block.count': 2,
  'block.0.name': 'sda',
  'block.0.rd.reqs': 12,
  'block.0.wr.reqs': 3,
  'block.1.name': 'vda',
  'block.1.rd.reqs': 400,
};
const FILESYSTEMS = { items: [{ mountPoint: '/data', disk: [{ serial: 'S1' }, {}] }, { mountPoint: '/' }] };

test('each disk with what QEMU has open and what the guest does with it', () => {
  const answers = { xml: JSON.stringify({ xml: XML }), stats: JSON.stringify(STATS) };
  const pictures = diskPictures({ ...answers, filesystems: JSON.stringify(FILESYSTEMS) });
  assert.deepEqual(pictures, [
    {
      volume: 'root',
      target: 'vda',
      bus: 'virtio',
      source: '/overlay.qcow2',
      backing: '/image',
      reads: 400,
      writes: 0,
    },
    {
      volume: 'data',
      target: 'sda',
      bus: 'scsi',
      source: '/dev/data',
      reads: 12,
      writes: 3,
      mountedAt: ['/data'],
    },
    { volume: 'drive', target: 'sdb', bus: 'sata', reads: 0, writes: 0 },
  ]);
  assert.equal(diskPictures({ ...answers, filesystems: '' })[1]?.mountedAt, undefined);
});

test('a launcher that is lost to its guest decides neither how much is looked at nor how often', () => {
  const many = 20_000;
  const xml = JSON.stringify({
    xml: `<domain><devices>${"<disk><target dev='vda'/><serial>S</serial></disk>".repeat(2_000)}</devices></domain>`,
  });
  const stats = Object.fromEntries(Array.from({ length: many }, (_, i) => [`block.${i}.name`, 'x']));
  const disk = Array.from({ length: many }, () => ({ serial: 'S' }));
  const filesystems = { items: [null, ...Array.from({ length: 3 }, () => ({ mountPoint: '/', disk }))] };
  const pictures = diskPictures({
    xml,
    stats: JSON.stringify(stats),
    filesystems: JSON.stringify(filesystems),
  });
  assert.equal(pictures.length, 512);
  assert.equal(pictures[0]?.mountedAt?.length, 512);
  const long = JSON.stringify({ xml: `<domain>${' '.repeat(1024 * 1024)}</domain>` });
  assert.throws(() => diskPictures({ xml: long, stats: '{}' }), /no domain/);
});
