/** What the target's virt-handler does next for a VMI that is on its way here. Pure. */
import type { MigrationState, TargetMigration } from '@podvisor/api';
import type { DomainView } from '../launcher-client/domain-view.ts';

export interface TargetSituation {
  readonly state: MigrationState;
  readonly view: DomainView;
  readonly connected: boolean;
  /** Our listeners are open for this migration, and the VMI says where. */
  readonly isListening: boolean;
  /** Since when the guest has been seen running here. */
  readonly arrivedMs: number | undefined;
  /** The kubelet said that the Pod of the source has ended. */
  readonly hasSourceEnded: boolean;
  /** Since when that is known of a guest whose memory has not all come. */
  readonly orphanedMs?: number | undefined;
  readonly nowMs: number;
}

export type TargetDecision =
  | { readonly kind: 'wait'; readonly requeueAfterMs?: number }
  /** Set up network and disks, open the listeners, and write their address into the VMI for the source. */
  | { readonly kind: 'prepare' }
  /** virt-handler was restarted and its listeners went with it: it opens new ones and writes their address again. */
  | { readonly kind: 'listen' }
  /** The guest runs here: write that into the VMI, and wait until the source says that it has handed over. */
  | { readonly kind: 'detected'; readonly requeueAfterMs: number }
  /** This virt-handler writes the VMI's status from now on. `alone`: the source did not say that it has handed over. */
  | { readonly kind: 'take-over'; readonly alone: boolean }
  /** Post-copy cannot be completed, because the source is gone: the domain here is ended, and its Pod with it. */
  | { readonly kind: 'end' }
  /** The migration has failed or was given up: the listeners are closed. */
  | { readonly kind: 'give-up' };

/** How long a source may take to say that it has handed over. */
export const SOURCE_WORD_MS = 20_000;
const LOOK_MS = 1_000;
/** How long a guest in post-copy may still take to get its memory when its source has ended. */
export const ORPHAN_MS = 10_000;

export function decideTarget(situation: TargetSituation): TargetDecision {
  const { state, view, connected, isListening, arrivedMs, hasSourceEnded, orphanedMs, nowMs } = situation;
  if (state.failed === true) return { kind: 'give-up' };
  if (hasArrived(view, state.migrationUid)) {
    if (state.completed === true) return { kind: 'take-over', alone: false };
    // It runs here, so libvirt was told to let it run, and the source never wakes a guest that may run here.
    const waitedMs = nowMs - (arrivedMs ?? nowMs);
    if (hasSourceEnded || waitedMs >= SOURCE_WORD_MS) return { kind: 'take-over', alone: true };
    if (state.targetNodeDomainDetected !== true) return { kind: 'detected', requeueAfterMs: LOOK_MS };
    return { kind: 'wait', requeueAfterMs: LOOK_MS };
  }
  // Whoever has the rest of its memory may come back, unless its Pod has ended.
  const isHalf = isIncomplete(view, state.migrationUid);
  if (isHalf && hasSourceEnded) {
    // The last of its memory may just have come. A QEMU that lacks some cannot always tell that it is broken.
    const isGivenUp = nowMs - (orphanedMs ?? nowMs) >= ORPHAN_MS;
    return isGivenUp ? { kind: 'end' } : { kind: 'wait', requeueAfterMs: LOOK_MS };
  }
  // It runs here while its memory follows: those who carry its packets have to know at once.
  if (runsHere(view, state.migrationUid) && state.targetNodeDomainDetected !== true)
    return { kind: 'detected', requeueAfterMs: LOOK_MS };
  if (state.completed === true) return { kind: 'wait' }; // the view is older than the VMI; its news wakes us
  const isTold = state.targetNodeAddress !== undefined;
  if (isTold && isListening) return isHalf ? { kind: 'wait', requeueAfterMs: LOOK_MS } : { kind: 'wait' };
  if (isTold && state.startTimestamp !== undefined)
    return connected ? { kind: 'listen' } : { kind: 'wait', requeueAfterMs: LOOK_MS };
  if (state.abortRequested === true) return { kind: 'wait' };
  return connected ? { kind: 'prepare' } : { kind: 'wait', requeueAfterMs: LOOK_MS };
}

function runsHere(view: DomainView, migrationUid: string | undefined): boolean {
  const isRunning = view.kind === 'present' && view.domain.state === 'Running';
  return isRunning && stageHere(view, migrationUid) === 'post-copy';
}

/** How far the guest of this migration has come; undefined when nothing of it is here. */
function stageHere(view: DomainView, migrationUid: string | undefined): TargetMigration['stage'] | undefined {
  const migration = view.kind === 'present' ? view.domain.migration : undefined;
  return migration?.role === 'target' && migration.uid === migrationUid ? migration.stage : undefined;
}

/** Some of its memory is still where it came from. */
export function isIncomplete(view: DomainView, migrationUid: string | undefined): boolean {
  const stage = stageHere(view, migrationUid);
  return stage === 'post-copy' || stage === 'broken';
}

/** All of the guest is here, and libvirt let it run (or left it paused as it was). */
export function hasArrived(view: DomainView, migrationUid: string | undefined): boolean {
  return stageHere(view, migrationUid) === 'arrived';
}
