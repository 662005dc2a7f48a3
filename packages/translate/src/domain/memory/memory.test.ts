import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf, plainContext, vmiOf } from '../../testing/vmi.ts';
import { convertVmiToDomain } from '../convert.ts';

test('guest memory, else the request, else the limit', () => {
  const memory = (domain: Parameters<typeof convertOf>[0]): number | undefined =>
    convertOf(domain).memory?.value;
  assert.equal(memory({ memory: { guest: '1Gi' }, resources: { requests: { memory: '2Gi' } } }), 2 ** 30);
  assert.equal(memory({ resources: { requests: { memory: '64M' } } }), 64_000_000);
  assert.equal(memory({ resources: { limits: { memory: '1Mi' } } }), 2 ** 20);
});

test('a ceiling needs neither slot nor NUMA cell, but for libvirt that wants both', () => {
  const vmi = vmiOf({ memory: { guest: '1Gi', maxGuest: '4Gi' } });
  const today = convertVmiToDomain(vmi, plainContext);
  assert.deepEqual([today.maxMemory?.slots, today.cpu?.numa], [0, undefined]);
  const older = convertVmiToDomain(vmi, { ...plainContext, memorySlots: 1 });
  assert.equal(older.maxMemory?.slots, 1);
  assert.deepEqual(older.cpu?.numa?.cells, [{ id: '0', cpus: '0-0', memory: 2 ** 20, unit: 'KiB' }]);
});

test('parts of bytes are left out', () => {
  assert.equal(convertOf({ memory: { guest: '0.1Gi' } }).memory?.value, 107_374_182);
  const cells = convertOf({ memory: { guest: '65M', hugepages: { pageSize: '2Mi' } } }).cpu?.numa?.cells;
  assert.equal(cells?.[0]?.memory, 63_476);
});

test('a ceiling where the guest already is, is none', () => {
  const memory = { guest: '1Gi', maxGuest: '1024Mi' };
  const domain = convertOf({ memory }, {}, { memorySlots: 1 });
  assert.deepEqual([domain.maxMemory, domain.cpu?.numa], [undefined, undefined]);
  const grown = { ...vmiOf({ memory }), status: { memory: { guestAtBoot: '512Mi' } } };
  assert.equal(convertVmiToDomain(grown, plainContext).maxMemory?.value, 2 ** 30);
});
