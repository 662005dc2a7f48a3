import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memory } from '@podvisor/api';
import { plainContext, vmiOf } from '../../testing/vmi.ts';
import { convertVmiToDomain } from '../convert.ts';

const GIB = 1024 ** 3;

function grown(memory: Memory, guestAtBoot: string) {
  return convertVmiToDomain({ ...vmiOf({ memory }), status: { memory: { guestAtBoot } } }, plainContext);
}

test('a guest as it was started has room to grow and no device for it', () => {
  const domain = grown({ guest: '1Gi', maxGuest: '4Gi' }, '1Gi');
  assert.equal(domain.maxMemory?.value, 4 * GIB);
  assert.equal(domain.devices?.memoryDevices, undefined);
});

test('memory that came later is a virtio-mem device beside the memory at boot', () => {
  const domain = grown({ guest: '3Gi', maxGuest: '4Gi' }, '1Gi');
  assert.equal(domain.memory?.value, GIB);
  assert.deepEqual(domain.devices?.memoryDevices, [
    {
      model: 'virtio-mem',
      target: {
        size: { unit: 'b', value: 3 * GIB },
        node: 0,
        block: { unit: 'b', value: 2 * 1024 ** 2 },
        requested: { unit: 'b', value: 2 * GIB },
      },
    },
  ]);
});

test('on gigantic pages it grows by pages', () => {
  const domain = grown({ guest: '2Gi', maxGuest: '4Gi', hugepages: { pageSize: '1Gi' } }, '1Gi');
  assert.equal(domain.devices?.memoryDevices?.[0]?.target?.block?.value, GIB);
});
