/** What one pass of the restore controller looks at, and what may come out of it. */
import type {
  DataVolume,
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
  VMHibernation,
  VMSpec,
  VolumeRestore,
  VolumeSnapshot,
} from '@podvisor/api';

export interface RestoreObservation {
  readonly restore: VirtualMachineRestore;
  readonly snapshot: VirtualMachineSnapshot | undefined;
  readonly content: VirtualMachineSnapshotContent | undefined;
  /** The VM that is restored; undefined: it will be made. */
  readonly target: VirtualMachine | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
  /** Claims of the restored volumes that are there, by name. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  /** VolumeSnapshots of the content, by name. */
  readonly taken: ReadonlyMap<string, VolumeSnapshot>;
  /** Storage classes that bind a claim when its first user comes. */
  readonly waitingClasses: ReadonlySet<string>;
  /** The claim of the snapshot's memory, whoever made it. */
  readonly memoryClaim?: PersistentVolumeClaim;
  /** The claim of the name that the target's own memory has, whoever made it. */
  readonly stateClaim?: PersistentVolumeClaim;
  readonly nowMs: number;
}

/** What the status says afterwards. */
export type RestoreStep =
  | { readonly kind: 'waits'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly event: string }
  | { readonly kind: 'done' };

export type RestoreAction =
  | { readonly kind: 'lock'; readonly target: VirtualMachine }
  | { readonly kind: 'unlock'; readonly target: VirtualMachine }
  | { readonly kind: 'stop'; readonly target: VirtualMachine }
  | { readonly kind: 'note'; readonly restores: readonly VolumeRestore[] }
  | { readonly kind: 'deleteClaim'; readonly name: string }
  | { readonly kind: 'createClaim'; readonly claim: PersistentVolumeClaim }
  | { readonly kind: 'createDataVolume'; readonly dataVolume: DataVolume }
  /** Which DataVolumes the VM has before it is changed: afterwards nobody would know. */
  | { readonly kind: 'noteObsolete'; readonly names: readonly string[] }
  | { readonly kind: 'writeVm'; readonly vm: VirtualMachine; readonly isNew: boolean }
  | { readonly kind: 'own'; readonly vm: VirtualMachine; readonly restores: readonly VolumeRestore[] }
  | { readonly kind: 'deleteObsolete'; readonly vm: VirtualMachine; readonly names: readonly string[] }
  /** The VM hibernates from here on. */
  | { readonly kind: 'remember'; readonly vm: VirtualMachine; readonly hibernation: VMHibernation }
  /** Noted before it may go on: from here on it is never given that memory again. */
  | { readonly kind: 'noteMemory' }
  | { readonly kind: 'run'; readonly vm: VirtualMachine; readonly spec: Partial<VMSpec> }
  | { readonly kind: 'notReadyEvent'; readonly reason: string };

export interface RestorePlan {
  readonly actions: readonly RestoreAction[];
  /** Undefined: the status stays as it is. */
  readonly step?: RestoreStep;
  readonly requeueAfterMs?: number;
  /** Comes again, later and later: another restore has the VM. */
  readonly retry?: string;
}

export const fails = (reason: string): RestorePlan => ({
  actions: [],
  step: { kind: 'failed', reason, event: 'VirtualMachineRestoreError' },
});

export const waits = (reason: string): RestorePlan => ({ actions: [], step: { kind: 'waits', reason } });

/** A claim that is only bound when its first user comes tells of nothing more after it was made. */
export function lookAgain(actions: readonly RestoreAction[]): Pick<RestorePlan, 'requeueAfterMs'> {
  return actions.some(({ kind }) => kind === 'createClaim') ? { requeueAfterMs: 0 } : {};
}
