import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemorySnapshot } from '../memory-snapshot/memory-snapshot.ts';
import { requireUnsaved } from './unpause.ts';

const begun = { id: 'x', startTimestamp: '2026-01-01T00:00:00Z' };
const snapshotIn = (phase: 'Saving' | 'Saved' | 'Taken' | 'Failed'): MemorySnapshot =>
  new MemorySnapshot({ phase, claimName: 'memory', startTimestamp: begun.startTimestamp });

test('a guest that stands still to be saved is let go on by nobody but who saves it', () => {
  for (const phase of ['Saving', 'Saved'] as const) {
    const hibernation = { ...begun, phase };
    assert.throws(() => requireUnsaved({ hibernation, memorySnapshot: undefined }), /being hibernated/);
    const memorySnapshot = snapshotIn(phase);
    assert.throws(() => requireUnsaved({ hibernation: undefined, memorySnapshot }), /by itself/);
  }
});

test('one whose save is over, or that came from a state, may be unpaused', () => {
  for (const phase of ['Failed', 'Woken', 'Booted'] as const)
    requireUnsaved({ hibernation: { ...begun, phase }, memorySnapshot: snapshotIn('Failed') });
  requireUnsaved({ hibernation: undefined, memorySnapshot: snapshotIn('Taken') });
});
