/** What one pass of the VM controller looks at, and what may come out of it. */
import type {
  ControllerRevision,
  DataVolume,
  PersistentVolumeClaim,
  Pod,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
  VMHibernation,
  VMSpec,
} from '@podvisor/api';
import type { JsonPatchOperation } from '@podvisor/kube';
import type { SyncProblem } from './conditions.ts';
import type { ExpandedTemplate } from './expansion.ts';
import type { PlaceToGrow } from './place-to-grow.ts';
import type { DesiredTracking } from './volumes/changed-block-tracking.ts';
import type { StorageView } from './volumes/data-volumes.ts';

/** All that one pass looks at. */
export interface VmObservation {
  readonly vm: VirtualMachine;
  /** The VMI of the same name that this VM owns by UID. */
  readonly vmi: VirtualMachineInstance | undefined;
  /** A VMI of the same name exists and belongs to somebody else. */
  readonly nameTaken: boolean;
  readonly storage: StorageView;
  /** Of the VMI. */
  readonly migrations: readonly VirtualMachineInstanceMigration[];
  /** Another node than the VMI's could run it. */
  readonly hasOtherNode: boolean;
  /** Where the guest takes over more CPUs or memory. */
  readonly placeToGrow: PlaceToGrow;
  /** The template with instancetype and preference merged in. */
  readonly expanded: ExpandedTemplate;
  /** Spec that the VMI was started from; undefined when it is not known. */
  readonly startedFrom: VMSpec | undefined;
  /** False while the cache does not show what the last pass did. */
  readonly cacheCaughtUp: boolean;
  /** `vmRolloutStrategy` is LiveUpdate. */
  readonly liveUpdate: boolean;
  /** Whether changed blocks shall be tracked. */
  readonly tracking: DesiredTracking;
  /** The claim for the state of this guest, as it would be made now; undefined without a VMI. */
  readonly hibernationClaim: PersistentVolumeClaim | undefined;
  readonly nowMs: number;
  readonly random: () => number;
}

export type VmAction =
  | { readonly kind: 'addFinalizer' }
  | { readonly kind: 'removeFinalizer' }
  | { readonly kind: 'createDataVolume'; readonly dataVolume: DataVolume }
  | {
      readonly kind: 'start';
      readonly vmi: VirtualMachineInstance;
      readonly revision: ControllerRevision;
      /** Earlier starts may have left revisions behind. */
      readonly prune: boolean;
    }
  | { readonly kind: 'stop'; readonly vmi: VirtualMachineInstance }
  /** The claim for the state of a guest that hibernates. */
  | { readonly kind: 'createClaim'; readonly claim: PersistentVolumeClaim }
  | { readonly kind: 'deleteClaim'; readonly claim: PersistentVolumeClaim }
  /** Says on the claim which dump of memory is in it. */
  | { readonly kind: 'noteDump'; readonly claim: string; readonly note: string }
  | { readonly kind: 'patchVm'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly kind: 'patchVmi'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly kind: 'resizePod'; readonly pod: Pod; readonly requests: Readonly<Record<string, string>> }
  /** Disks begin or cease to move to other claims. */
  | { readonly kind: 'updateVolumes'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly kind: 'stopMigration'; readonly migration: VirtualMachineInstanceMigration };

export interface VmPlan {
  readonly actions: readonly VmAction[];
  /** The last act is not visible yet: not even the status can be told. */
  readonly cacheIsBehind?: boolean;
  /** What keeps the VM from starting although nothing failed on the way. */
  readonly problem?: SyncProblem;
  /** A storage problem, shown as DataVolumeError. */
  readonly dataVolumeError: boolean;
  readonly restartRequired: boolean;
  /** Why, when it is not a change of the template in general. */
  readonly restartMessage?: string;
  /** After the stop, a Start request is left in the status. */
  readonly queueStart: boolean;
  /** `status.hibernation` from now on. */
  readonly hibernation?: VMHibernation;
  /** The run strategy was carried out: `status.runStrategy` may say so. */
  readonly strategyInForce: boolean;
  readonly requeueAfterMs?: number;
}

export const IDLE: VmPlan = {
  actions: [],
  dataVolumeError: false,
  restartRequired: false,
  queueStart: false,
  strategyInForce: true,
};
