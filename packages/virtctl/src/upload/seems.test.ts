import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seemsToBe } from './seems.ts';

const tar = Buffer.alloc(1024);
tar.write('disk.qcow2', 0);
tar.write('ustar', 257);
const bootSector = Buffer.alloc(512);
bootSector.set([0xeb, 0x63, 0x90]);
bootSector.set([0x55, 0xaa], 510);

const cases: readonly (readonly [what: string, head: Uint8Array, seems: string | undefined])[] = [
  ['nothing', Buffer.alloc(0), 'an empty file'],
  ['a sentence', Buffer.from('this is no disk\n'), 'text'],
  ['a sentence with letters of others', Buffer.from('kein Datenträger\r\n\tnirgends\x1b[0m'), 'text'],
  ['a letter that is cut off', Buffer.from('ä').subarray(0, 1), 'text'],
  ['a page of a web server', Buffer.from('\n<!DOCTYPE html><html>404</html>'), 'an HTML page'],
  ['HTML without a type', Buffer.from('<HTML><body>'), 'an HTML page'],
  ['a PDF', Buffer.from('%PDF-1.7\n\xe2\xe3', 'latin1'), 'a PDF document'],
  ['a ZIP', Buffer.from('PK\x03\x04\x14\0'), 'a ZIP archive'],
  ['a program', Buffer.from('\x7fELF\x02\x01'), 'a program (ELF)'],
  ['a tar', tar, 'a tar archive'],
  ['a blank disk', Buffer.alloc(4096), undefined],
  ['a boot sector', bootSector, undefined],
  ['qcow2', Buffer.from('QFI\xfb\0\0\0\x03', 'latin1'), undefined],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), undefined],
  ['a VMDK descriptor', Buffer.from('# Disk DescriptorFile\nversion=1\n'), undefined],
];

for (const [what, head, seems] of cases)
  test(`${what}: ${seems ?? 'may be a disk'}`, () => assert.equal(seemsToBe(head), seems));
