/** What may not change while a snapshot or a restore of the VM is under way. */
import { deepEqual } from '@podvisor/base';
import type { VirtualMachine, VMSpec } from '../../types/index.ts';
import { type Cause, notSupported, when } from '../rule.ts';

/** Causes against an update of a VM that is being snapshotted or restored. */
export function inProgressCauses(vm: VirtualMachine, old: VirtualMachine): readonly Cause[] {
  const snapshot = snapshotCauses(vm, old);
  return snapshot.length > 0 ? snapshot : restoreCauses(vm, old);
}

function restoreCauses(vm: VirtualMachine, old: VirtualMachine): readonly Cause[] {
  const restore = vm.status?.restoreInProgress;
  if (restore === undefined) return [];
  return when(strategyOf(vm.spec) !== strategyOf(old.spec), () =>
    notSupported('spec', `Cannot update VM runStrategy until restore ${JSON.stringify(restore)} completes`),
  );
}

/** The run strategy, also of a VM that still says `running`. */
function strategyOf({ running, runStrategy }: VMSpec): string {
  return runStrategy ?? (running === true ? 'Always' : 'Halted');
}

function snapshotCauses(vm: VirtualMachine, old: VirtualMachine): readonly Cause[] {
  const snapshot = vm.status?.snapshotInProgress;
  if (snapshot === undefined) return [];
  const name = JSON.stringify(snapshot);
  if (!deepEqual(vm.spec.template.spec?.volumes ?? [], old.spec.template.spec?.volumes ?? []))
    return [notSupported('spec', `Cannot update vm disks or volumes until snapshot ${name} completes`)];
  return when(!runsTheSame(vm.spec, old.spec), () =>
    notSupported('spec', `Cannot update vm running state until snapshot ${name} completes`),
  );
}

function runsTheSame(one: VMSpec, other: VMSpec): boolean {
  if (one.running !== undefined && other.running !== undefined) return one.running === other.running;
  return one.runStrategy !== undefined && one.runStrategy === other.runStrategy;
}
