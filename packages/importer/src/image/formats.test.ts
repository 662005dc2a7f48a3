import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImageError } from '@podvisor/storage';
import * as fc from 'fast-check';
import { compressionOf, formatOf, HEAD_BYTES } from './formats.ts';

function vmdk(description: string, capacity = 2048n): Uint8Array {
  const bytes = Buffer.alloc(HEAD_BYTES);
  bytes.write('KDMV', 0, 'latin1');
  bytes.writeBigUInt64LE(capacity, 12);
  bytes.writeBigUInt64LE(1n, 28);
  bytes.writeBigUInt64LE(20n, 36);
  bytes.write(description, 512, 'latin1');
  return bytes;
}
const vdi = (type: number): Uint8Array => {
  const bytes = Buffer.alloc(512);
  bytes.write('<<< Oracle VM VirtualBox Disk Image >>>\n');
  bytes.writeUInt32LE(0xbeda107f, 64);
  bytes.writeUInt32LE(type, 76);
  return bytes;
};
const vhd = (type: number): Uint8Array => {
  const bytes = Buffer.alloc(512);
  bytes.write('conectix');
  bytes.writeUInt32BE(type, 60);
  return bytes;
};
const OWN = 'createType="monolithicSparse"\nRW 2048 SPARSE "image.vmdk"\n';

test('compressions by their first bytes', () => {
  assert.equal(compressionOf(Buffer.from([0x1f, 0x8b, 8])), 'gzip');
  assert.equal(compressionOf(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])), 'xz');
  assert.equal(compressionOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])), 'zstd');
  assert.equal(compressionOf(Buffer.from('plain')), undefined);
});

test('formats by their first bytes', () => {
  const all: readonly (readonly [Uint8Array, string])[] = [
    [Buffer.alloc(1000), 'raw'],
    [vmdk(OWN), 'vmdk'],
    [vdi(1), 'vdi'],
    [vhd(3), 'vpc'],
    [Buffer.from('vhdxfile and more'), 'vhdx'],
  ];
  for (const [head, format] of all) assert.equal(formatOf(head), format);
});

const refused: readonly (readonly [string, Uint8Array])[] = [
  ['a VMDK that is only a description', Buffer.from('# Disk DescriptorFile\nRW 1 FLAT "/etc/shadow" 0\n')],
  ['a VMDK without data, whose description QEMU would follow', vmdk('RW 1 FLAT "/etc/shadow" 0', 0n)],
  ['a VMDK with a parent', vmdk(`parentFileNameHint="/etc/shadow"\n${OWN}`)],
  ['a VMDK with data elsewhere', vmdk('RW 2048 FLAT "/etc/shadow" 0\n')],
  ['a VMDK with two extents', vmdk(`${OWN}RW 2048 SPARSE "/dev/sda"\n`)],
  ['a VDI that is a difference', vdi(4)],
  ['a VHD that is a difference', vhd(4)],
];
for (const [name, head] of refused)
  test(`refuses ${name}`, () => {
    assert.throws(
      () => formatOf(head),
      (error) => error instanceof ImageError && error.kind === 'reference',
    );
  });

test('any bytes give a format or an ImageError', () => {
  const starts = fc.constantFrom('KDMV', 'QFI\xfb', 'conectix', '<<< ', 'vhdxfile', '');
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 600 }), (start, tail) => {
      try {
        formatOf(Buffer.concat([Buffer.from(start, 'latin1'), tail]));
      } catch (error) {
        assert.ok(error instanceof ImageError, String(error));
      }
    }),
    { numRuns: 1000 },
  );
});
