/** What one pass of the migration controller looks at, and what may come out of it. */
import type { Pod, VirtualMachineInstance, VMIMigrationStatus } from '@podvisor/api';
import type { AttachedClaim } from '@podvisor/translate';
import type { StateClaimsEnd } from '../backend-storage/hand-over.ts';
import type { Event } from '../recorder.ts';
import type { VolumeView } from '../vmi/volumes.ts';
import type { Migration } from './facts.ts';
import type { HandOff, Patch } from './vmi-patches.ts';

/** Why a migration that has no target Pod does not get one now. */
export type Turn =
  | { readonly kind: 'go' }
  /** `event`: worth telling, once. */
  | { readonly kind: 'wait'; readonly requeueAfterMs?: number; readonly event?: Event };

export interface MigrationObservation {
  readonly migration: Migration;
  /** The VMI of that name. */
  readonly vmi: VirtualMachineInstance | undefined;
  /** All launcher Pods of the VMI, by owner. */
  readonly pods: readonly Pod[];
  /** Of these, the one made for this migration. */
  readonly targetPod: Pod | undefined;
  /** Attachment Pods that it owns. */
  readonly targetAttachments: readonly Pod[];
  readonly volumes: VolumeView;
  /** VMI and Pods come from a consistent read, not from the cache. */
  readonly proven: boolean;
  /** False while the cache does not show the Pod that the last pass made. */
  readonly cacheCaughtUp: boolean;
  /** Another migration of the same VMI that has not ended and goes first. */
  readonly busyWith: Migration | undefined;
  readonly turn: Turn;
  /** Settings for the hand-off. */
  readonly handOff: HandOff;
  readonly nowMs: number;
}

export type MigrationAction =
  | { readonly kind: 'createTarget' }
  | { readonly kind: 'createAttachment'; readonly target: Pod; readonly claims: readonly AttachedClaim[] }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'markTargetReady'; readonly pod: Pod; readonly at: string }
  | { readonly kind: 'endStateClaims'; readonly end: StateClaimsEnd }
  | { readonly kind: 'patchVmi'; readonly patch: Patch }
  | { readonly kind: 'status'; readonly status: VMIMigrationStatus }
  /** Metadata of the migration: lets it go, and keeps the report. */
  | { readonly kind: 'release'; readonly report: string | undefined }
  | { readonly kind: 'event'; readonly event: Event };

export interface MigrationPlan {
  readonly actions: readonly MigrationAction[];
  readonly needsProof?: boolean;
  readonly requeueAfterMs?: number;
}

/** An event that never comes must not stop a migration for ever. */
export const RECHECK_MS = 60_000;

export const PROOF: MigrationPlan = { actions: [], needsProof: true };
