/**
 * Decides what to do about one VMI on this node. Pure. The order is: shut down, destroy what cannot be
 * saved, delete what is over, bring up or update what is wanted. Whatever is unknown waits.
 */
import type { DomainState, VirtualMachineInstance } from '@podvisor/api';
import { isAlive, isOver } from '../launcher-client/domain-view.ts';
import { sourceJob } from '../migration/source.ts';
import { awaitedPlugs } from '../volumes/plan.ts';
import { gracePeriodMs, isFinal, type Situation } from './situation.ts';

export type Decision =
  | { readonly kind: 'wait'; readonly why: string; readonly requeueAfterMs?: number }
  /** Ask the guest to shut down (again). */
  | { readonly kind: 'ask-shutdown'; readonly requeueAfterMs: number }
  | { readonly kind: 'kill'; readonly why: KillReason }
  /** Remove the definition of a domain that is off; the launcher then ends. */
  | { readonly kind: 'delete-domain' }
  /** Nothing of the VM is left here: close the connection and drop the record. */
  | { readonly kind: 'forget' }
  /** Prepare the network and tell the launcher what the VMI says. */
  | { readonly kind: 'sync' }
  | { readonly kind: 'nothing' };

export type KillReason =
  | 'grace period over'
  | 'no grace period'
  | 'migration failed in post-copy'
  | 'VMI is gone'
  | 'VMI runs elsewhere'
  | 'VMI is over';

/** A guest that has not reacted is asked again this often. */
export const ASK_AGAIN_MS = 5_000;
/** How long a launcher may take until its socket is there. */
export const LAUNCHER_WAIT_MS = 180_000;

export function reconcile(situation: Situation): Decision {
  const decision = decide(situation);
  const leftMs = situation.syncNotBeforeMs - situation.nowMs;
  if (decision.kind !== 'sync' || leftMs <= 0) return decision;
  // A failed attempt makes events of its own, which must not start the next one at once.
  return { kind: 'wait', why: 'the last attempt failed a moment ago', requeueAfterMs: leftMs };
}

function decide(situation: Situation): Decision {
  const { vmi, view } = situation;
  switch (vmi.kind) {
    case 'unknown':
      return {
        kind: 'wait',
        why: 'the API server did not say whether the VMI exists',
        requeueAfterMs: 5_000,
      };
    case 'elsewhere':
      return decideLeftover(situation, undefined);
    case 'gone':
      return decideLeftover(situation, 'VMI is gone');
    case 'ours':
      break;
  }
  if (view.kind === 'unknown')
    return { kind: 'wait', why: view.why, requeueAfterMs: untilGivingUp(situation) };
  if (view.kind === 'present') return decidePresent(situation, vmi.vmi, view.domain);
  if (situation.mayRunOnTarget)
    return { kind: 'wait', why: 'the guest may run where it was migrated to', requeueAfterMs: 1_000 };
  if (isFinal(vmi.vmi) || vmi.vmi.metadata?.deletionTimestamp !== undefined || view.proof === 'pod-ended')
    return { kind: 'forget' };
  if (vmi.vmi.status?.phase !== 'Scheduled') return { kind: 'wait', why: 'the domain is gone' };
  if (!situation.connected) return { kind: 'wait', why: 'the launcher is not connected' };
  // The VMI's status wakes us when virt-controller has brought them, and tells what keeps them away.
  const [awaited] = awaitedPlugs(vmi.vmi);
  return awaited === undefined
    ? { kind: 'sync' }
    : { kind: 'wait', why: `the claim of volume ${awaited} is not on the node yet` };
}

function decidePresent(situation: Situation, vmi: VirtualMachineInstance, domain: DomainState): Decision {
  const alive = isAlive(domain);
  if (!situation.connected) return { kind: 'wait', why: 'the launcher is not connected' };
  const job = sourceJob(domain, vmi.status?.migrationState?.migrationUid);
  // While it moves nothing else is done to it; when it has moved the target takes over, and what is left here ends.
  if (job !== undefined && job.completed !== true)
    return { kind: 'wait', why: 'the guest is being migrated' };
  if (job?.completed === true && job.failed !== true) return { kind: 'wait', why: 'the guest has moved' };
  if (alive && domain.reason === 'PostcopyFailed')
    return { kind: 'kill', why: 'migration failed in post-copy' };
  if (alive && isFinal(vmi)) return { kind: 'kill', why: 'VMI is over' };
  const wantsEnd = vmi.metadata?.deletionTimestamp !== undefined || domain.shutdownRequestedAt !== undefined;
  if (alive && wantsEnd) return decideShutdown(situation, vmi, domain);
  if (isOver(domain)) return { kind: 'delete-domain' };
  if (domain.hibernation?.phase === 'Saving' || domain.hibernation?.phase === 'Saved')
    return { kind: 'wait', why: 'the guest is being hibernated' };
  // The target is made ready for the guest as it is now. What is declared meanwhile comes after the move.
  if (alive && !situation.isSpecSynced && job === undefined && isHandedOff(vmi))
    return { kind: 'wait', why: 'the guest is about to be migrated' };
  // A definition that was never started: the launcher is in the middle of a sync, or lost its way in one.
  if (!alive || !situation.isSpecSynced) return { kind: 'sync' };
  return { kind: 'nothing' };
}

/** A migration of this VMI was handed to its nodes, and has not ended. */
function isHandedOff({ status }: VirtualMachineInstance): boolean {
  const { migrationUid, completed, targetNode } = status?.migrationState ?? {};
  return migrationUid !== undefined && completed !== true && status?.nodeName !== targetNode;
}

function decideShutdown(situation: Situation, vmi: VirtualMachineInstance, domain: DomainState): Decision {
  const graceMs = gracePeriodMs(vmi);
  if (graceMs === 0) return { kind: 'kill', why: 'no grace period' };
  const { nowMs, shutdown } = situation;
  const reported =
    domain.shutdownRequestedAt === undefined ? undefined : Date.parse(domain.shutdownRequestedAt);
  const askedMs = reported ?? shutdown.firstAskedMs;
  if (askedMs === undefined) return { kind: 'ask-shutdown', requeueAfterMs: Math.min(ASK_AGAIN_MS, graceMs) };
  const leftMs = askedMs + graceMs - nowMs;
  if (leftMs <= 0) return { kind: 'kill', why: 'grace period over' };
  const nextAskMs = (shutdown.lastAskedMs ?? Number.NEGATIVE_INFINITY) + ASK_AGAIN_MS - nowMs;
  if (nextAskMs <= 0) return { kind: 'ask-shutdown', requeueAfterMs: Math.min(ASK_AGAIN_MS, leftMs) };
  return { kind: 'wait', why: 'the guest is shutting down', requeueAfterMs: Math.min(nextAskMs, leftMs) };
}

/** A VM that is not wanted here any more. `kill`: why it may be ended; undefined: it must end by itself. */
function decideLeftover(situation: Situation, kill: KillReason | undefined): Decision {
  const { vmi, view, connected } = situation;
  if (view.kind === 'absent') return { kind: 'forget' };
  // Nothing announces that the kubelet has removed a dead Pod's directory, so it is looked at again.
  if (view.kind === 'unknown') return { kind: 'wait', why: view.why, requeueAfterMs: 5_000 };
  if (!connected) return { kind: 'wait', why: 'the launcher is not connected' };
  if (!isAlive(view.domain)) return { kind: 'delete-domain' };
  // The VMI is elsewhere because the target took it over, which it does only when the guest runs there.
  const { migration } = view.domain;
  if (vmi.kind === 'elsewhere' && migration?.role === 'source' && migration.isUndecided === true)
    return { kind: 'kill', why: 'VMI runs elsewhere' };
  return kill === undefined ? { kind: 'wait', why: 'the VMI runs elsewhere' } : { kind: 'kill', why: kill };
}

function untilGivingUp({ linkSinceMs, nowMs }: Situation): number {
  return Math.max(1_000, linkSinceMs + LAUNCHER_WAIT_MS - nowMs);
}
