/** What is done about the guests of a node that is not heard of: for each, a decision, and what follows from it. Pure. */
import {
  annotations,
  type FenceRequest,
  labels,
  leasePlace,
  type Node,
  type NodeLossTimes,
  type Pod,
  type VirtualMachineInstance,
  vmiConditions,
  type VMIStatus,
} from '@podvisor/api';
import type { JsonPatchOperation } from '@podvisor/kube';
import { type Condition, findCondition, hasCondition, removeCondition, setCondition } from '../conditions.ts';
import type { Event } from '../recorder.ts';
import { isFinal, isMigrating } from '../vmi-phase.ts';
import { readyCondition } from '../vmi/conditions.ts';
import { enterPhase, guardedPatch } from '../vmi/status.ts';
import { decideLoss, type LossDecision, type LossFacts } from './decide.ts';

export interface GuestView {
  readonly vmi: VirtualMachineInstance;
  /** Its launcher Pods on the node, and what holds claims for them. */
  readonly pods: readonly Pod[];
  /** Who watches its lease, or watched it in an earlier silence. */
  readonly watcher: Pod | undefined;
  readonly watch: LossFacts['watch'];
  /** The Pod that the guest was to move to has ended, by the word of its kubelet: the guest is not there. */
  readonly hasTargetEnded: boolean;
}

export interface NodeLossView {
  readonly nodeName: string;
  readonly node: Node | undefined;
  readonly silentMs: number | undefined;
  /** The same where others are heard as usual (NodeSilence). */
  readonly quietMs: number | undefined;
  /** It was seen to renew: not only given its time anew because nobody was heard (NodeSilence). */
  readonly isAlive: boolean;
  readonly times: NodeLossTimes;
  readonly guests: readonly GuestView[];
  /** The request to fence the node was seen before its last sign of life: it is refuted. */
  readonly isRefuted: boolean;
  readonly nowMs: number;
}

export type NodeLossAction =
  | {
      readonly kind: 'patchVmi';
      readonly vmi: VirtualMachineInstance;
      readonly patch: readonly JsonPatchOperation[];
    }
  | { readonly kind: 'event'; readonly vmi: VirtualMachineInstance; readonly event: Event }
  | { readonly kind: 'makeWatcher'; readonly guest: GuestView; readonly claim: string }
  /** Of Pods of a run that is over: at once, nobody is there to end them. */
  | { readonly kind: 'removePod'; readonly pod: Pod }
  /** The VM remembers whence its guest was lost, until it runs again. */
  | { readonly kind: 'rememberLoss'; readonly vmi: VirtualMachineInstance; readonly nodeName: string }
  /** No new guest is sent to the node until its virt-handler says that it takes them. */
  | { readonly kind: 'closeNode' }
  | { readonly kind: 'dropRequest'; readonly node: Node };

export interface NodeLossPlan {
  readonly actions: readonly NodeLossAction[];
  /** A decision that must not be made from a cache: the node is asked for once more before. */
  readonly needsProof: boolean;
  readonly requeueAfterMs?: number;
}

/** A silence that nothing ends is looked at again, for what has no event of its own. */
const RECHECK_MS = 5_000;

/**
 * When whoever watches the lease may begin: so that it has started by the time that the node counts as lost, and cannot
 * say that a lease is over before that time.
 */
export function watchAfterMs({ leaseMs, silenceMs }: NodeLossTimes): number {
  return Math.max(silenceMs / 2, silenceMs - leaseMs);
}

/** The loss of the node is prepared for. */
export function isQuiet({ quietMs, times }: Pick<NodeLossView, 'quietMs' | 'times'>): boolean {
  return quietMs !== undefined && quietMs >= watchAfterMs(times);
}

export function planNodeLoss(view: NodeLossView): NodeLossPlan {
  const { silentMs, times, guests } = view;
  const refuted = refutedRequest(view);
  const plans = guests.map((guest) => planGuest(view, guest));
  const isSilent = silentMs !== undefined && silentMs >= times.silenceMs;
  return {
    actions: [...refuted, ...(isSilent ? closeNode(view) : []), ...plans.flatMap(({ actions }) => actions)],
    needsProof: plans.some(({ fences }) => fences),
    requeueAfterMs: isSilent ? RECHECK_MS : untilNextStepMs(view),
  };
}

function untilNextStepMs({ quietMs, silentMs, times }: NodeLossView): number {
  // As often as virt-handlers renew: one of them ends it.
  if (silentMs === undefined) return Math.min(RECHECK_MS, times.silenceMs / 4);
  const prepareMs = watchAfterMs(times) - (quietMs ?? silentMs);
  return prepareMs > 0 ? prepareMs : times.silenceMs - silentMs;
}

/** Kubernetes takes longer to notice, and would send the guest back to where it was lost. */
function closeNode({ node }: NodeLossView): readonly NodeLossAction[] {
  return node?.metadata.labels?.[labels.schedulable] === 'true' ? [{ kind: 'closeNode' }] : [];
}

interface GuestPlan {
  readonly actions: readonly NodeLossAction[];
  readonly fences: boolean;
}

function planGuest(view: NodeLossView, guest: GuestView): GuestPlan {
  const { vmi, pods, watcher } = guest;
  if (isFinal(vmi)) {
    // Fenced before: what is left of it goes, also after a restart in the middle.
    const isOver = hasCondition(vmi.status?.conditions, vmiConditions.fenced, 'True');
    return { actions: isOver ? remove(pods, watcher) : [], fences: false };
  }
  const decision = decideLoss(factsOf(view, guest));
  switch (decision.kind) {
    case 'leave':
      return { actions: found(view, guest), fences: false };
    case 'prepare':
      return { actions: decision.needsWatcher ? [makeWatcher(guest)] : [], fences: false };
    case 'lost':
      return { actions: tell(view, vmi, decision), fences: false };
    case 'watch':
      return { actions: [...tell(view, vmi, decision), makeWatcher(guest)], fences: false };
    case 'fence':
      return { actions: fence(view, guest, decision), fences: true };
  }
}

function makeWatcher(guest: GuestView): NodeLossAction {
  const place = leasePlace(guest.vmi);
  return { kind: 'makeWatcher', guest, claim: place.kind === 'volume' ? place.claim : '' };
}

function factsOf(view: NodeLossView, { vmi, watch, hasTargetEnded }: GuestView): LossFacts {
  const taints = view.node?.spec?.taints ?? [];
  return {
    nodeName: view.nodeName,
    silentMs: view.silentMs,
    silenceMs: view.times.silenceMs,
    isQuiet: isQuiet(view),
    nodeExists: view.node !== undefined,
    outOfService: taints.some(({ key }) => key === OUT_OF_SERVICE),
    confirmedOff: view.isRefuted ? 'no' : confirmedOff(view.node),
    move: hasTargetEnded ? 'none' : moveOf(vmi),
    place: leasePlace(vmi),
    keepsLease: KEEPS_LEASE.has(
      findCondition(vmi.status?.conditions, vmiConditions.fencedByLease)?.reason ?? '',
    ),
    watch,
  };
}

/** A migration whose source has said its last word is not over: until the target takes the VMI over, it is named here. */
function moveOf(vmi: VirtualMachineInstance): LossFacts['move'] {
  if (isMigrating(vmi)) return 'underWay';
  const { nodeName, migrationState } = vmi.status ?? {};
  const { completed, failed, targetNode } = migrationState ?? {};
  const hasLeft =
    completed === true && failed !== true && targetNode !== undefined && targetNode !== nodeName;
  return hasLeft && migrationState?.sourceNode === nodeName ? 'done' : 'none';
}

/** Kubernetes' own word for a machine that is off: who sets it has made sure. */
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';
/** Reasons of FencedByLease with which there is a lease: one that could not be renewed at last ends all the same. */
const KEEPS_LEASE = new Set(['LeaseRenewed', 'StorageLost']);

/** What somebody said of the node with `virtctl fence`. */
export function confirmedOff(node: Node | undefined): LossFacts['confirmedOff'] {
  const text = node?.metadata.annotations?.[annotations.fence];
  if (text === undefined) return 'no';
  try {
    const { at, forced } = JSON.parse(text) as Partial<FenceRequest>;
    if (typeof at !== 'string') return 'no';
    return forced === true ? 'forced' : 'yes';
  } catch {
    return 'no'; // not a request
  }
}

/** The node shows life: what was said of it is not so. A forced request is for one time. */
function refutedRequest({ node, isRefuted }: NodeLossView): readonly NodeLossAction[] {
  return node !== undefined && isRefuted && confirmedOff(node) !== 'no'
    ? [{ kind: 'dropRequest', node }]
    : [];
}

/** The node is heard of again, and the guest with it: as if nothing had been. */
function found({ isAlive, nodeName }: NodeLossView, guest: GuestView): readonly NodeLossAction[] {
  if (!isAlive) return [];
  const { vmi, watcher, watch } = guest;
  // One of this silence is kept: it is only we who have not listened for long, after a restart.
  const isOver = watcher !== undefined && watch.kind === 'none';
  const actions: NodeLossAction[] = isOver ? [{ kind: 'removePod', pod: watcher }] : [];
  const { conditions = [] } = vmi.status ?? {};
  const without = removeCondition(conditions, vmiConditions.nodeLost);
  if (without === conditions) return actions;
  return [
    ...actions,
    { kind: 'patchVmi', vmi, patch: guardedPatch(vmi, { conditions: without }) },
    { kind: 'event', vmi, event: ['Normal', 'NodeFound', `node ${nodeName} is heard of again`] },
  ];
}

function tell(
  { nowMs }: NodeLossView,
  vmi: VirtualMachineInstance,
  { reason, message }: Extract<LossDecision, { kind: 'lost' | 'watch' }>,
): readonly NodeLossAction[] {
  const { conditions = [] } = vmi.status ?? {};
  const before = findCondition(conditions, vmiConditions.nodeLost);
  const next = setCondition(
    conditions,
    { type: vmiConditions.nodeLost, status: 'True', reason, message },
    nowMs,
  );
  if (next === conditions) return [];
  const isNews = before?.status !== 'True' || before.reason !== reason;
  const event: Event = ['Warning', 'NodeLost', message];
  return [
    { kind: 'patchVmi', vmi, patch: guardedPatch(vmi, { conditions: next }) },
    ...(isNews ? [{ kind: 'event' as const, vmi, event }] : []),
  ];
}

/** The run is over. From here on it is the run strategy's: a VMI that failed. */
function fence(
  { nodeName, nowMs }: NodeLossView,
  { vmi, pods, watcher }: GuestView,
  { proof, message }: Extract<LossDecision, { kind: 'fence' }>,
): readonly NodeLossAction[] {
  const byLease = proof === 'LeaseExpired' || proof === 'LeaseReleased';
  const told = [
    { type: vmiConditions.nodeLost, reason: 'NodeLost', message: `the guest was lost with node ${nodeName}` },
    ...(byLease ? [{ type: vmiConditions.leaseExpired, reason: proof, message }] : []),
    { type: vmiConditions.fenced, reason: proof, message: `the run on node ${nodeName} is over: ${message}` },
  ];
  let conditions: readonly Condition[] = vmi.status?.conditions ?? [];
  for (const condition of told)
    conditions = setCondition(conditions, { ...condition, status: 'True' }, nowMs);
  conditions = setCondition(conditions, readyCondition(vmi, undefined), nowMs);
  const { phase, phaseTransitionTimestamps } = enterPhase(vmi.status ?? {}, 'Failed', nowMs);
  const changes: Partial<VMIStatus> = { phase, phaseTransitionTimestamps, conditions, reason: 'NodeLost' };
  const events: readonly Event[] = [
    ...(byLease ? [['Warning', 'LeaseExpired', message] as const] : []),
    ['Warning', 'Fenced', `the run on node ${nodeName} is over: ${message}`],
  ];
  return [
    { kind: 'rememberLoss', vmi, nodeName },
    { kind: 'patchVmi', vmi, patch: guardedPatch(vmi, changes) },
    ...events.map((event) => ({ kind: 'event' as const, vmi, event })),
    ...remove(pods, watcher),
  ];
}

function remove(pods: readonly Pod[], watcher: Pod | undefined): readonly NodeLossAction[] {
  return [...pods, ...(watcher === undefined ? [] : [watcher])].map((pod) => ({ kind: 'removePod', pod }));
}
