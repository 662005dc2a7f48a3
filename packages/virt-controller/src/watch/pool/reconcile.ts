/**
 * The decisions of the pool controller: which machines are missing, too many, broken or out of date, and what
 * is done about each. Pure.
 */
import {
  labels as labelKeys,
  type VirtualMachine,
  type VirtualMachineClone,
  type VirtualMachineInstance,
  type VirtualMachinePool,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { ownerKinds } from '../ownership.ts';
import { claim } from '../replicas/claims.ts';
import { isDeleting, isFinal } from '../vmi-phase.ts';
import { autohealing } from './autohealing.ts';
import {
  freeIndexes,
  indexOf,
  memberSpec,
  type PoolTemplate,
  poolRevisionName,
  templateOfSpec,
} from './member.ts';
import { inOrder, type SelectionContext } from './selection.ts';
import { isWarm, planWarm } from './warm.ts';

/** Machines that are made, changed or deleted in one pass. */
export const BURST = 250;

export interface PoolObservation extends SelectionContext {
  readonly pool: VirtualMachinePool;
  /** Machines of the namespace that the pool owns, and those that nobody manages. */
  readonly candidates: readonly VirtualMachine[];
  /** The virtual machine of this name, whoever owns it. */
  vm(name: string): VirtualMachine | undefined;
  /** Clones that the pool makes: its warm copies that come. */
  readonly copies: readonly VirtualMachineClone[];
  /** The VMI of a machine, if it has one. */
  vmiOf(vm: VirtualMachine): VirtualMachineInstance | undefined;
  /** The template of an earlier revision; undefined when it is lost. */
  template(revision: string): PoolTemplate | undefined;
  readonly cacheCaughtUp: boolean;
  readonly nowMs: number;
}

export interface Deletion {
  readonly vm: VirtualMachine;
  readonly why: string;
  /** DataVolumes and claims outlive the machine. */
  readonly keepState: boolean;
}

export interface PoolPlan {
  readonly adopt: readonly VirtualMachine[];
  readonly release: readonly VirtualMachine[];
  /** Numbers of the machines to make. */
  readonly create: readonly number[];
  /** Warm copies that are there become the pool's. */
  readonly take: readonly VirtualMachine[];
  /** Clones that nobody needs any more. */
  readonly drop: readonly VirtualMachineClone[];
  /** Why no machines can be made, whatever is tried. */
  readonly failure?: string;
  readonly delete: readonly Deletion[];
  /** Machines that get the current template. */
  readonly update: readonly VirtualMachine[];
  /** VMIs that are replaced by ones with the current template. */
  readonly restart: readonly VirtualMachineInstance[];
  /** VMIs that are as the current template says and only carry an old label. */
  readonly relabel: readonly { readonly vmi: VirtualMachineInstance; readonly revision: string }[];
  /** What the status tells: machines that live. */
  readonly active: readonly VirtualMachine[];
  readonly requeueAfterMs?: number;
}

export function reconcilePool(observed: PoolObservation): PoolPlan {
  const { cacheCaughtUp, candidates, pool } = observed;
  const { adopt, owned, release } = claim(pool, ownerKinds.pool, candidates);
  const active = owned.filter((vm) => vm.metadata?.deletionTimestamp === undefined);
  const nothing: PoolPlan = {
    adopt: [],
    release: [],
    create: [],
    take: [],
    drop: [],
    delete: [],
    update: [],
    restart: [],
    relabel: [],
    active,
  };
  if (!cacheCaughtUp || pool.metadata?.deletionTimestamp !== undefined || pool.spec.paused === true)
    return nothing;
  if (adopt.length > 0 || release.length > 0) return { ...nothing, adopt, release };
  const warm = isWarm(pool)
    ? planWarm(pool, observed.copies, active, (name) => observed.vm(name))
    : undefined;
  if (warm !== undefined && warm.take.length + warm.drop.length > 0)
    return { ...nothing, take: warm.take, drop: warm.drop };
  const missing = (pool.spec.replicas ?? 1) - active.length - (warm?.coming.length ?? 0);
  if (missing > 0 && warm?.failure !== undefined) return { ...nothing, failure: warm.failure };
  if (missing > 0) return { ...nothing, create: freeNames(observed, Math.min(BURST, missing)) };
  if (missing < 0) {
    const surplus = scaleIn(observed, active, -missing);
    if (surplus.length > 0) return { ...nothing, delete: surplus };
  }
  const healed = autohealing(pool, active, observed.nowMs);
  if (healed.broken.length > 0) {
    const why = 'it failed to start again and again';
    return { ...nothing, delete: healed.broken.map((vm) => ({ vm, why, keepState: false })) };
  }
  return { ...nothing, ...updates(observed, active), requeueAfterMs: healed.recheckMs };
}

function freeNames({ copies, pool, vm }: PoolObservation, count: number): readonly number[] {
  const coming = new Set(copies.map(({ metadata }) => metadata?.name));
  return freeIndexes(count, (index) => {
    const name = `${pool.metadata?.name}-${index}`;
    return coming.has(name) || vm(name) !== undefined;
  });
}

function scaleIn(
  observed: PoolObservation,
  active: readonly VirtualMachine[],
  count: number,
): readonly Deletion[] {
  const { opportunistic, proactive, unmanaged } = observed.pool.spec.scaleInStrategy ?? {};
  if (unmanaged !== undefined) return [];
  const strategy = opportunistic ?? proactive;
  const keepState = (strategy?.statePreservation ?? 'Disabled') !== 'Disabled';
  // Opportunistic takes only who is off anyway.
  const eligible =
    opportunistic === undefined ? active : active.filter((vm) => observed.vmiOf(vm) === undefined);
  return inOrder(eligible, proactive?.selectionPolicy, observed)
    .slice(0, Math.min(BURST, count))
    .map((vm) => ({ vm, why: 'the pool has too many', keepState }));
}

const OTHER_DISKS = 'its DataVolumes differ from the template';
const OTHER_SNAPSHOT = 'it is not a copy as the pool says';

function updates(
  observed: PoolObservation,
  active: readonly VirtualMachine[],
): Pick<PoolPlan, 'delete' | 'update' | 'restart' | 'relabel'> {
  const { pool } = observed;
  const { proactive, opportunistic, unmanaged } = pool.spec.updateStrategy ?? {};
  const nothing = { delete: [], update: [], restart: [], relabel: [] };
  if (unmanaged !== undefined) return nothing;
  const outdated = active.filter((vm) => isOutdated(observed, vm));
  // Disks are made once: a machine with other DataVolumes is another machine. So is a copy of another snapshot.
  const warm = isWarm(pool);
  const rebuilt = outdated.filter((vm) => (warm ? revisionOf(vm) !== '' : needsNewDisks(observed, vm)));
  const isProactive = opportunistic === undefined;
  const budget = isProactive ? unavailableBudget(observed, active) : 0;
  const ordered = inOrder(active, proactive?.selectionPolicy, observed);
  const running = ordered.flatMap((vm) => {
    const vmi = observed.vmiOf(vm);
    // A machine whose template is still to change is looked at again once it has.
    if (warm || vmi === undefined || isDeleting(vmi) || isFinal(vmi) || outdated.includes(vm)) return [];
    return revisionOf(vmi) === revisionOf(vm) ? [] : [{ vm, vmi }];
  });
  const differs = ({ vm, vmi }: (typeof running)[number]): boolean => isVmiOutdated(observed, vm, vmi);
  return {
    delete: isProactive
      ? inOrder(rebuilt, proactive?.selectionPolicy, observed)
          .slice(0, budget)
          .map((vm) => ({ vm, why: warm ? OTHER_SNAPSHOT : OTHER_DISKS, keepState: false }))
      : [],
    update: warm ? [] : outdated.filter((vm) => !rebuilt.includes(vm)).slice(0, BURST),
    restart: running
      .filter(differs)
      .slice(0, budget)
      .map(({ vmi }) => vmi),
    relabel: running.filter((one) => !differs(one)).map(({ vm, vmi }) => ({ vmi, revision: revisionOf(vm) })),
  };
}

function revisionOf({ metadata }: VirtualMachine | VirtualMachineInstance): string {
  return metadata?.labels?.[labelKeys.poolRevisionName] ?? '';
}

/** Made from another template. A pool that was only scaled has a new revision with the same template. */
function isOutdated({ pool, template }: PoolObservation, vm: VirtualMachine): boolean {
  const revision = revisionOf(vm);
  if (revision === poolRevisionName(pool)) return false;
  const known = template(revision);
  if (known === undefined) return true;
  return !deepEqual(templateOfSpec(known), templateOfSpec(pool.spec));
}

function needsNewDisks({ pool, template }: PoolObservation, vm: VirtualMachine): boolean {
  const index = indexOf(vm);
  const known = template(revisionOf(vm));
  if (index === undefined || known === undefined) return false;
  return !deepEqual(
    memberSpec(known, index).dataVolumeTemplates ?? [],
    memberSpec(pool.spec, index).dataVolumeTemplates ?? [],
  );
}

/** Whether the running VMI was made from another template than its machine has now. */
function isVmiOutdated(
  { template }: PoolObservation,
  vm: VirtualMachine,
  vmi: VirtualMachineInstance,
): boolean {
  const index = indexOf(vm);
  const known = template(revisionOf(vmi));
  const wanted = template(revisionOf(vm));
  if (index === undefined || known === undefined || wanted === undefined) return true;
  return !deepEqual(memberSpec(known, index).template, memberSpec(wanted, index).template);
}

/** How many more machines may be down now: `maxUnavailable` (all unless told, one at least) less those that are. */
function unavailableBudget({ pool }: PoolObservation, active: readonly VirtualMachine[]): number {
  const value = pool.spec.maxUnavailable ?? '100%';
  const limit =
    typeof value === 'number' ? value : Math.floor((Number.parseInt(value, 10) * active.length) / 100);
  const down = active.filter((vm) => vm.status?.ready !== true).length;
  return Math.min(BURST, Math.max(0, Math.max(1, limit) - (limit >= active.length ? 0 : down)));
}
