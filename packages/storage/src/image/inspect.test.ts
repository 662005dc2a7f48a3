import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { ImageError, type ImageInfo, judgeImage } from './inspect.ts';

interface Fields {
  readonly version?: number;
  readonly backingOffset?: bigint;
  readonly backingSize?: number;
  readonly clusterBits?: number;
  readonly size?: bigint;
  readonly crypt?: number;
  readonly incompatible?: bigint;
  readonly headerLength?: number;
  readonly extension?: readonly [type: number, length: number];
}

function header(fields: Fields = {}): Uint8Array {
  const bytes = new Uint8Array(512);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x514649fb);
  view.setUint32(4, fields.version ?? 3);
  view.setBigUint64(8, fields.backingOffset ?? 0n);
  view.setUint32(16, fields.backingSize ?? 0);
  view.setUint32(20, fields.clusterBits ?? 16);
  view.setBigUint64(24, fields.size ?? 1n << 30n);
  view.setUint32(32, fields.crypt ?? 0);
  view.setBigUint64(72, fields.incompatible ?? 0n);
  view.setUint32(100, fields.headerLength ?? 104);
  if (fields.extension !== undefined) {
    view.setUint32(104, fields.extension[0]);
    view.setUint32(108, fields.extension[1]);
  }
  return bytes;
}

const judge = (bytes: Uint8Array): ImageInfo => judgeImage(bytes, Math.max(1, bytes.length));

describe('judgeImage', () => {
  test('a plain qcow2 and plain bytes', () => {
    assert.deepEqual(judge(header()), { format: 'qcow2', virtualSizeBytes: 2 ** 30, fileSizeBytes: 512 });
    assert.deepEqual(judge(new Uint8Array(700)), {
      format: 'raw',
      virtualSizeBytes: 1024,
      fileSizeBytes: 700,
    });
  });

  const refused: readonly (readonly [string, Fields, ImageError['kind']])[] = [
    ['backing file', { backingOffset: 300n, backingSize: 11 }, 'reference'],
    ['backing file of length 0', { backingOffset: 300n }, 'reference'],
    ['backing file, version 2', { version: 2, backingOffset: 300n, backingSize: 4 }, 'reference'],
    ['external data, by feature bit', { incompatible: 4n }, 'reference'],
    ['external data, by extension', { extension: [0x44415441, 8] }, 'reference'],
    ['encryption', { crypt: 2 }, 'format'],
    ['unknown version', { version: 4 }, 'header'],
    ['absurd clusters', { clusterBits: 63 }, 'header'],
    ['absurd size', { size: 2n ** 63n }, 'header'],
    ['extension past the end', { extension: [0x1234, 0xffff_fff0] }, 'header'],
    ['header length inside the fixed part', { headerLength: 8 }, 'header'],
  ];
  for (const [name, fields, kind] of refused)
    test(`refuses: ${name}`, () => {
      assert.throws(
        () => judge(header(fields)),
        (error) => error instanceof ImageError && error.kind === kind,
      );
    });

  test('refuses other formats by name', () => {
    assert.throws(() => judge(new TextEncoder().encode('KDMV and so on')), /format vmdk/);
    assert.throws(() => judge(new TextEncoder().encode('# Disk DescriptorFile\nRW')), /format vmdk/);
  });

  test('any bytes give an answer or an ImageError, never anything else', () => {
    const hostile = fc.uint8Array({ maxLength: 400 }).map((tail) => {
      const bytes = header();
      bytes.set(tail, 4);
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), hostile), fc.nat(512), (bytes, cut) => {
        try {
          const info = judgeImage(bytes.subarray(0, cut), cut);
          assert.ok(Number.isSafeInteger(info.virtualSizeBytes) && info.virtualSizeBytes >= 0);
        } catch (error) {
          assert.ok(error instanceof ImageError, String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('no header with a backing offset ever passes', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        fc.nat(0xffff),
        fc.constantFrom(2, 3),
        (offset, size, version) => {
          assert.throws(
            () => judge(header({ version, backingOffset: offset, backingSize: size })),
            ImageError,
          );
        },
      ),
    );
  });
});
