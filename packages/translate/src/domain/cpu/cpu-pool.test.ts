import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostCell } from '../context.ts';
import { placeCpus } from './cpu-pool.ts';

/** Cores of two threads: (0,4) (1,5) (2,6) (3,7), two cores per cell. */
const SMT: readonly HostCell[] = [0, 1].map((id) => ({
  id,
  cpus: [0, 1].flatMap((core) => {
    const first = id * 2 + core;
    return [first, first + 4].map((cpu) => ({ id: cpu, siblings: [first, first + 4] }));
  }),
}));
const topology = { sockets: 1, cores: 2, threads: 2 };
const request = { topology, host: SMT, ioThreads: 0, emulatorCpus: 0, strict: false };

test('threads of a guest core share a host core', () => {
  assert.deepEqual(placeCpus({ ...request, cpuSet: [0, 1, 4, 5] }).vcpus, [0, 4, 1, 5]);
});

test('without siblings, threads of one cell are taken together', () => {
  assert.deepEqual(placeCpus({ ...request, cpuSet: [0, 1, 2, 7] }).vcpus, [0, 1, 2, 7]);
});

test('strict placement never crosses cells', () => {
  const crossing = { ...request, topology: { ...topology, cores: 1 }, cpuSet: [0, 2] };
  assert.deepEqual(placeCpus(crossing).vcpus, [0, 2]);
  assert.throws(() => placeCpus({ ...crossing, strict: true }), /without crossing numa cell boundaries/);
});

test('the emulator gets CPUs that no virtual CPU has', () => {
  const { vcpus, emulator } = placeCpus({ ...request, cpuSet: [0, 1, 2, 4, 5], emulatorCpus: 1 });
  assert.deepEqual([vcpus, emulator], [[0, 4, 1, 5], [2]]);
});

test('supplemental IO threads get CPUs before the emulator', () => {
  const cpuSet = [0, 1, 2, 3, 4, 5, 6];
  const placed = placeCpus({ ...request, cpuSet, ioThreads: 2, emulatorCpus: 1 });
  assert.deepEqual(placed, { vcpus: [0, 4, 1, 5], ioThreads: [3, 2], emulator: [6] });
  assert.throws(
    () => placeCpus({ ...request, cpuSet: [0, 1, 4, 5, 2], emulatorCpus: 2 }),
    /no second CPU allocated for the emulation thread: no remaining unassigned threads/,
  );
});

test('too few CPUs is an error that says how many cores are missing', () => {
  assert.throws(() => placeCpus({ ...request, cpuSet: [0, 4] }), /could not fit 1 core/);
});
