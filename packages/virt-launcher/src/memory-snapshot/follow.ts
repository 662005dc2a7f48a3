/** Begins a snapshot of memory that the VMI asks for, once its claim is plugged in. It goes on by itself. */
import { join } from 'node:path';
import {
  memorySnapshotTypes,
  memorySnapshotVolume,
  type SyncOptions,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import type { DomainRef } from '@podvisor/libvirt';
import type { DomainContext } from '../domain-manager/context.ts';
import { isDirectory } from '../disks/is-directory.ts';
import { MemorySnapshot } from './memory-snapshot.ts';
import { takeMemory } from './take.ts';

export async function followMemorySnapshot(
  context: DomainContext,
  domain: DomainRef,
  vmi: VirtualMachineInstance,
  options: SyncOptions,
): Promise<void> {
  const { runState } = context;
  const volume = memorySnapshotVolume(vmi.spec);
  if (volume === undefined) {
    if (runState.memorySnapshot === undefined) return;
    runState.memorySnapshot = undefined;
    return context.observer.refresh();
  }
  // One for each time that a claim comes, and none for a claim that says that it is done.
  if (runState.memorySnapshot?.state.claimName === volume.claimName) return;
  if (volume.type !== memorySnapshotTypes.save || runState.hibernation?.phase === 'Saving') return;
  const directory = join(context.builder.hotplugDirectory, volume.name);
  if (!(await isDirectory(directory))) return; // not plugged in yet; it comes with another sync
  const snapshot = new MemorySnapshot({
    phase: 'Saving',
    claimName: volume.claimName,
    startTimestamp: rfc3339(context.clock.now()),
  });
  runState.memorySnapshot = snapshot;
  void takeMemory(context, domain, { vmi, directory, options, snapshot });
}
