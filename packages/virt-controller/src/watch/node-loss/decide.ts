/**
 * What becomes of a guest whose node is not heard of. Pure. A guest is started elsewhere only when its run is
 * provably over: by the storage, by the machine's owner, or by a person. Silence alone proves nothing.
 */
import type { LeasePlace, LeaseReport } from '@podvisor/api';

/** How the end of a run was proven. */
export type Proof = 'LeaseExpired' | 'LeaseReleased' | 'OutOfService' | 'NodeDeleted' | 'ConfirmedOff';

export interface LossFacts {
  readonly nodeName: string;
  /** Undefined: unknown. */
  readonly silentMs: number | undefined;
  readonly silenceMs: number;
  /** It has been silent for so long that its loss is prepared for; nothing is said of it yet. */
  readonly isQuiet: boolean;
  readonly nodeExists: boolean;
  /** Taint `node.kubernetes.io/out-of-service`. */
  readonly outOfService: boolean;
  readonly confirmedOff: 'no' | 'yes' | 'forced';
  /** Whether the guest is on its way to another node: it may run there already, or does (`done`), by its source's word. */
  readonly move: 'none' | 'underWay' | 'done';
  /** Where the guest keeps its lease; `keepsLease`: its node said that it does. */
  readonly place: LeasePlace;
  readonly keepsLease: boolean;
  /** Who watches the lease. */
  readonly watch:
    | { readonly kind: 'none' }
    /** `forMs`: how long it has been running. */
    | { readonly kind: 'running'; readonly forMs: number; readonly leaseMs: number }
    /** It waits for a node or for the claim. */
    | { readonly kind: 'pending'; readonly why: string }
    | { readonly kind: 'ended'; readonly report: LeaseReport | undefined };
}

export type LossDecision =
  /** The node is there, or nobody can tell. */
  | { readonly kind: 'leave' }
  /** It may be lost soon: whoever watches the lease then has begun by that time. */
  | { readonly kind: 'prepare'; readonly needsWatcher: boolean }
  /** It is lost, and there is nothing to do but to tell. */
  | { readonly kind: 'lost'; readonly reason: string; readonly message: string }
  /** Somebody on a live node must watch the lease. */
  | { readonly kind: 'watch'; readonly reason: string; readonly message: string }
  | { readonly kind: 'fence'; readonly proof: Proof; readonly message: string };

export function decideLoss(facts: LossFacts): LossDecision {
  const { nodeName, silentMs, silenceMs, confirmedOff } = facts;
  if (confirmedOff === 'forced')
    return fence('ConfirmedOff', `somebody said, with force, that the machine of node ${nodeName} is off`);
  if (silentMs === undefined || silentMs < silenceMs)
    return facts.isQuiet ? prepare(facts) : { kind: 'leave' };
  const silent = `node ${nodeName} has not been heard of for more than ${Math.round(silenceMs / 1000)} s`;
  // No word on this machine, and no lease of the run here, says anything of the run there.
  if (facts.move === 'done')
    return lost(
      'Migrating',
      `${silent}, and the guest had left it: it runs where it went, which is to be told yet`,
    );
  const word = wordOf(facts);
  if (word !== undefined) return word;
  if (facts.move === 'underWay')
    return lost('Migrating', `${silent}, and the guest was on its way to another one: it may run there`);
  if (facts.place.kind === 'none')
    return lost(facts.place.reason, `${silent}; ${facts.place.message}. ${REMEDY}`);
  if (!facts.keepsLease)
    return lost('LeaseNotKept', `${silent}, and the guest keeps no lease on its storage. ${REMEDY}`);
  return byLease(facts, silent);
}

/** A word on the machine needs no lease; without one there is nothing to prepare. */
function prepare(facts: LossFacts): LossDecision {
  const { move, keepsLease, place, watch } = facts;
  if (move !== 'none' || place.kind === 'none' || !keepsLease || wordOf(facts) !== undefined)
    return { kind: 'leave' };
  return { kind: 'prepare', needsWatcher: watch.kind === 'none' };
}

const REMEDY = 'If its machine is off for sure, say so: virtctl fence NODE --confirmed-off';

/** The owner of the machine says that it is off. While it is heard of, that is not believed. */
function wordOf({ nodeName, nodeExists, outOfService, confirmedOff }: LossFacts): LossDecision | undefined {
  if (confirmedOff === 'yes')
    return fence('ConfirmedOff', `somebody said that the machine of node ${nodeName} is off`);
  if (outOfService) return fence('OutOfService', `node ${nodeName} is tainted as out of service`);
  if (!nodeExists) return fence('NodeDeleted', `node ${nodeName} was deleted`);
  return undefined;
}

function byLease({ watch, silentMs = 0 }: LossFacts, silent: string): LossDecision {
  switch (watch.kind) {
    case 'none':
      return { kind: 'watch', reason: 'WatchingLease', message: `${silent}; its lease is being watched` };
    case 'pending':
      return lost('WatchingLease', `${silent}; who shall watch its lease does not run yet: ${watch.why}`);
    case 'running':
      return watch.forMs > watch.leaseMs * 1.5
        ? lost(
            'LeaseNotOver',
            `${silent}, but its lease is still renewed, or its disk locked: the guest runs where it is`,
          )
        : lost('WatchingLease', `${silent}; its lease is being watched`);
    case 'ended':
      return byReport(watch.report, silentMs, silent);
  }
}

function byReport(report: LeaseReport | undefined, silentMs: number, silent: string): LossDecision {
  if (report === undefined)
    return { kind: 'watch', reason: 'WatchingLease', message: `${silent}; its lease is being watched` };
  if (report.verdict === 'foreign') return lost('LeaseForeign', `${silent}; ${report.message}. ${REMEDY}`);
  // The guest was started under these times, and its node may hold it for so long.
  if (silentMs < (report.silenceMs ?? 0))
    return lost('WatchingLease', `${silent}; its lease is over, its node may still hold it`);
  if (report.verdict === 'released') return fence('LeaseReleased', report.message);
  return fence('LeaseExpired', `its lease on the storage was ${report.message}`);
}

function lost(reason: string, message: string): LossDecision {
  return { kind: 'lost', reason, message };
}

function fence(proof: Proof, message: string): LossDecision {
  return { kind: 'fence', proof, message };
}
