/** What one pass of the snapshot controller looks at, and what may come out of it. */
import type {
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
  VirtualMachineSnapshotContentStatus,
  VirtualMachineSnapshotStatus,
  VMSpec,
  VolumeSnapshot,
} from '@podvisor/api';
import type { JsonPatchOperation } from '@podvisor/kube';
import type { SourceVolume } from './content.ts';

export interface SnapshotObservation {
  readonly snapshot: VirtualMachineSnapshot;
  readonly vm: VirtualMachine | undefined;
  /** Also one that has ended. */
  readonly vmi: VirtualMachineInstance | undefined;
  readonly content: VirtualMachineSnapshotContent | undefined;
  /** Claims of the VM, and of the content when there is one, with the class that takes snapshots of each. */
  readonly volumes: readonly SourceVolume[];
  /** VolumeSnapshots of the content, by name. */
  readonly taken: ReadonlyMap<string, VolumeSnapshot>;
  /** The spec that the running guest was started from. */
  readonly startedFrom: VMSpec | undefined;
  /** The cluster serves VolumeSnapshots. */
  readonly isServed: boolean;
  /** The claim that the memory goes to, as it should be; undefined when it is not asked for. */
  readonly memoryClaim?: PersistentVolumeClaim;
  readonly nowMs: number;
}

export type SnapshotAction =
  | { readonly kind: 'addFinalizer' }
  | { readonly kind: 'removeFinalizer' }
  | { readonly kind: 'status'; readonly status: VirtualMachineSnapshotStatus }
  | { readonly kind: 'lock'; readonly vm: VirtualMachine }
  | { readonly kind: 'unlock'; readonly vm: VirtualMachine }
  | { readonly kind: 'createContent'; readonly content: VirtualMachineSnapshotContent }
  | { readonly kind: 'deleteContent'; readonly name: string }
  | {
      readonly kind: 'contentStatus';
      readonly content: VirtualMachineSnapshotContent;
      readonly status: VirtualMachineSnapshotContentStatus;
    }
  | { readonly kind: 'freeze'; readonly vmi: VirtualMachineInstance; readonly thawAfterMs: number }
  /** When the snapshot has failed, a thaw that fails too changes nothing: the launcher thaws by itself. */
  | { readonly kind: 'thaw'; readonly vmi: VirtualMachineInstance; readonly mayFail: boolean }
  | { readonly kind: 'createVolumeSnapshot'; readonly object: VolumeSnapshot }
  | { readonly kind: 'createClaim'; readonly claim: PersistentVolumeClaim }
  | {
      readonly kind: 'patchVmi';
      readonly vmi: VirtualMachineInstance;
      readonly patch: readonly JsonPatchOperation[];
    }
  | { readonly kind: 'memoryEvent'; readonly message: string }
  | { readonly kind: 'failedEvent'; readonly message: string };

export interface SnapshotPlan {
  readonly actions: readonly SnapshotAction[];
  readonly requeueAfterMs?: number;
}
