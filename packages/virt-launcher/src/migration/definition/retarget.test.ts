import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpusOf, retarget } from './retarget.ts';

const pinned = `<domain><cputune><vcpupin vcpu='0' cpuset='2'/><vcpupin vcpu="1" cpuset="5"/>
  <emulatorpin cpuset='2,5'/><iothreadpin iothread='1' cpuset='7'/></cputune></domain>`;

test('pins move to the CPUs of the target, in their order', () => {
  assert.equal(
    retarget(pinned, [10, 11, 12]),
    `<domain><cputune><vcpupin vcpu='0' cpuset='10'/><vcpupin vcpu="1" cpuset="11"/>
  <emulatorpin cpuset='10,11'/><iothreadpin iothread='1' cpuset='12'/></cputune></domain>`,
  );
});

test('a guest without pins stays as it is; a target with too few CPUs is refused', () => {
  assert.equal(retarget('<domain><vcpu>2</vcpu></domain>', [0, 1]), undefined);
  assert.throws(() => retarget(pinned, [1, 2]), /pinned to 3 CPUs, and the target has 2/);
});

test('sets of CPUs', () => {
  assert.deepEqual(cpusOf('0-2,5'), [0, 1, 2, 5]);
});
