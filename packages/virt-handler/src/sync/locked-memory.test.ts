import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POD_UID, vmiOf } from '../testing/objects.ts';
import { allowLockedMemory } from './locked-memory.ts';

const launcher = { pid: 10, podUid: POD_UID };
const vmi = vmiOf({});
const locked = {
  ...vmi,
  spec: {
    ...vmi.spec,
    domain: {
      ...vmi.spec.domain,
      memory: { guest: '1Gi', reservedOverhead: { memLock: 'Required' as const } },
    },
  },
};

/** A launcher, libvirtd, and a number that is another Pod's by now. */
function processes(failure?: string) {
  const lifted: number[] = [];
  return {
    lifted,
    tree: () => [10, 11, 13],
    isInPod: (pid: number) => pid !== 13,
    lift: (pid: number) => {
      if (failure !== undefined) throw new Error(failure);
      lifted.push(pid);
    },
  };
}
const warnings: string[] = [];
const log = { warn: (_: object, message: string) => void warnings.push(message) };

test('a guest that locks memory: launcher and libvirtd are lifted, processes of others are not', () => {
  const world = processes();
  allowLockedMemory(locked, launcher, log, world);
  assert.deepEqual(world.lifted, [10, 11]);
});

test('other guests keep the limit of their container', () => {
  const world = processes();
  allowLockedMemory(vmi, launcher, log, world);
  assert.deepEqual(world.lifted, []);
});

test('a limit that cannot be lifted holds up who asked for it, and is logged for others', () => {
  assert.throws(() => allowLockedMemory(locked, launcher, log, processes('EPERM')), /memLock\): EPERM/);
  const realtime = { ...vmi, spec: { ...vmi.spec, domain: { ...vmi.spec.domain, cpu: { realtime: {} } } } };
  assert.deepEqual(warnings, []);
  allowLockedMemory(realtime, launcher, log, processes('EPERM'));
  assert.deepEqual(warnings, ['the limit on locked memory was not lifted']);
});
