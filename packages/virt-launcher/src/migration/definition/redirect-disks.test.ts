import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redirectDisks } from './redirect-disks.ts';

const disk = (type: string, source: string, alias: string) =>
  `<disk type='${type}' device='disk'>
  <driver name='qemu' type='raw'/>
  ${source}
  <target dev='vda' bus='virtio'/>
  <alias name='ua-${alias}'/>
</disk>`;
const slices = "<slices><slice type='storage' offset='0' size='512'/></slices>";

test('an image becomes a part of a device, and a device an image; the others stay', () => {
  const xml = [
    disk('file', "<source file='/a/disk.img'/>", 'a'),
    disk('block', `<source dev='/dev/b' index='3'>\n    ${slices}\n  </source>`, 'b'),
    disk('file', "<source file='/c/disk.img'/>", 'c'),
  ].join('\n');
  const places = [
    { volume: 'a', path: '/dev/a', block: true, bytes: 512 },
    { volume: 'b', path: '/x/b/disk.img', block: false, bytes: 512 },
  ];
  assert.equal(
    redirectDisks(xml, places),
    [
      disk('block', `<source dev='/dev/a'>${slices}</source>`, 'a'),
      disk('file', "<source file='/x/b/disk.img'/>", 'b'),
      disk('file', "<source file='/c/disk.img'/>", 'c'),
    ].join('\n'),
  );
});

test('a disk that is not there, or that is more than a plain one, is not passed over', () => {
  const place = { path: '/dev/z', block: true, bytes: 1 };
  const plain = disk('file', "<source file='/a'/>", 'a');
  assert.throws(() => redirectDisks(plain, [{ volume: 'z', ...place }]), /no disk for z/);
  const tracked = disk('file', "<source file='/a'><dataStore type='file'/></source>", 'a');
  assert.throws(() => redirectDisks(tracked, [{ volume: 'a', ...place }]), /changed blocks of volume a/);
});
