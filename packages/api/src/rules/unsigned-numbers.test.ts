import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreadablePoolRefusal, unsignedRefusal } from './unsigned-numbers.ts';

const vmi = (domain: object): object => ({ spec: { domain } });

test('numbers from zero up can be read, and so can their absence', () => {
  assert.equal(unsignedRefusal('VirtualMachineInstance', {}), undefined);
  assert.equal(unsignedRefusal('VirtualMachineInstance', vmi({ cpu: { cores: 0, threads: 2 } })), undefined);
});

test('a negative number is refused as a whole, with the field in the words', () => {
  const refusal = unsignedRefusal('VirtualMachineInstance', vmi({ cpu: { cores: -1 } }));
  assert.deepEqual([refusal?.allowed, refusal?.code, refusal?.causes], [false, 400, []]);
  assert.match(refusal?.message ?? '', /number -1 into .*spec\.domain\.cpu\.cores of type uint32$/);
});

test('lists are looked through, in templates too', () => {
  const domain = { devices: { disks: [{ name: 'a' }, { name: 'b', bootOrder: -3 }] } };
  const pool = { spec: { virtualMachineTemplate: { spec: { template: { spec: { domain } } } } } };
  assert.match(
    unsignedRefusal('VirtualMachinePool', pool)?.message ?? '',
    /disks\.bootOrder of type uint64$/,
  );
});

test('more than 32 bits hold is too much', () => {
  const spinlocks = { spinlocks: 2 ** 32 };
  assert.equal(
    unsignedRefusal('VirtualMachineInstance', vmi({ features: { hyperv: { spinlocks } } }))?.code,
    400,
  );
});

test('a pool with metadata that cannot be read is refused, whatever else it says', () => {
  const pool = (metadata: object) => ({ spec: { virtualMachineTemplate: { metadata } } });
  assert.equal(unreadablePoolRefusal(pool({ labels: { a: 'b' }, more: 1 })), undefined);
  const refusal = unreadablePoolRefusal(pool({ labels: { a: 5 } }));
  assert.equal(refusal?.code, 400);
  assert.match(
    refusal?.message ?? '',
    /number into .*virtualMachineTemplate\.metadata\.labels of type string$/,
  );
});
