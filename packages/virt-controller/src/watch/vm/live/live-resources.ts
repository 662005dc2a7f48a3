/**
 * More CPUs and memory for a guest that runs. The room for them was made at its start (`maxSockets`, `maxGuest`);
 * where it takes them over, place-to-grow.ts says. A change goes into the VMI with a condition (`HotVCPUChange`,
 * `HotMemoryChange`) that asks for a migration, or, with the reason `InPlace`, for the change alone; virt-handler takes
 * the condition away when the guest has what it should have. Where it can neither move nor grow in place, a restart is
 * all that brings them, and the VM says why. Pure.
 */
import { hotplugMemoryProblem, IN_PLACE, type VirtualMachineInstance, type VMISpec } from '@podvisor/api';
import { Amount, parseQuantity, rfc3339 } from '@podvisor/base';
import { type JsonPatchOperation, guardedChange } from '@podvisor/kube';
import { findCondition, hasCondition } from '../../conditions.ts';
import { waitsForMigration } from '../../migration/facts.ts';
import { isMigrating } from '../../vmi-phase.ts';
import { type Increase, type PlaceToGrow, placeProblem, type Resource } from '../place-to-grow.ts';

type Vmi = VirtualMachineInstance;
type Patch = readonly JsonPatchOperation[];

type Change =
  | { readonly kind: 'none' }
  /** The guest can follow. */
  | { readonly kind: 'live'; readonly patch: Patch; readonly increase: Increase }
  /** `why`: where it is not the change itself, but the place. */
  | { readonly kind: 'restart'; readonly why?: string };

const NONE: Change = { kind: 'none' };
const RESTART: Change = { kind: 'restart' };
const CONDITIONS = { cpu: 'HotVCPUChange', memory: 'HotMemoryChange' } as const;

/** What brings a VMI closer to its template. */
export interface LiveResources {
  readonly patch: Patch;
  /** What its Pod then asks for more. */
  readonly increase: Increase;
}

/** Undefined when nothing is to be done now. */
export function liveResources(
  template: VMISpec | undefined,
  vmi: Vmi,
  place: PlaceToGrow,
  nowMs: number,
): LiveResources | undefined {
  // One change at a time: what finishes the last one must not meet another.
  if (isChanging(vmi)) return undefined;
  const changes = changesOf(template, vmi, place, nowMs).flatMap((change) =>
    change.kind === 'live' ? [change] : [],
  );
  if (changes.length === 0) return undefined;
  return {
    patch: changes.flatMap(({ patch }) => patch),
    increase: {
      cpuFactor: changes.reduce((factor, { increase }) => factor * increase.cpuFactor, 1),
      memoryBytes: changes.reduce((sum, { increase }) => sum + increase.memoryBytes, 0),
    },
  };
}

/** True when the template asks for CPUs or memory that only a restart brings. */
export function resourcesNeedRestart(template: VMISpec | undefined, vmi: Vmi, place: PlaceToGrow): boolean {
  return (
    changesOf(template, vmi, place, 0).some(({ kind }) => kind === 'restart') || failureOf(vmi) !== undefined
  );
}

/** Why a running guest does not get what the template says, where the change itself could be followed. */
export function whyNotLive(template: VMISpec | undefined, vmi: Vmi, place: PlaceToGrow): string | undefined {
  const restarts = changesOf(template, vmi, place, 0).flatMap((change) =>
    change.kind === 'restart' ? (change.why ?? []) : [],
  );
  return restarts[0] ?? failureOf(vmi);
}

/** A change under way, by a migration or in place. */
function isChanging(vmi: Vmi): boolean {
  const types: readonly string[] = Object.values(CONDITIONS);
  const isAsked = types.some((type) => hasCondition(vmi.status?.conditions, type, 'True'));
  return isAsked || waitsForMigration(vmi) || isMigrating(vmi);
}

/** What its launcher said of a change in place that it could not make. */
function failureOf({ status }: Vmi): string | undefined {
  for (const type of Object.values(CONDITIONS)) {
    const condition = findCondition(status?.conditions, type);
    if (condition?.status === 'False') return condition.message;
  }
  return undefined;
}

function changesOf(
  template: VMISpec | undefined,
  vmi: Vmi,
  place: PlaceToGrow,
  nowMs: number,
): readonly Change[] {
  return [cpuChange(template, vmi, place, nowMs), memoryChange(template, vmi, place, nowMs)];
}

/** The template without what is judged here. */
export function withoutLiveResources(domain: VMISpec['domain']): object {
  const { sockets: _sockets, ...cpu } = domain.cpu ?? {};
  const { guest: _guest, ...memory } = domain.memory ?? {};
  return { ...domain, cpu, memory };
}

function cpuChange(template: VMISpec | undefined, vmi: Vmi, place: PlaceToGrow, nowMs: number): Change {
  const wanted = template?.domain.cpu?.sockets ?? 0;
  const { sockets: current = 1, maxSockets = 0 } = vmi.spec.domain.cpu ?? {};
  if (wanted === 0 || wanted === current) return NONE;
  if (wanted < current || wanted > maxSockets || !canFollow(vmi, place)) return RESTART;
  return live('cpu', vmi, place, {
    ...{ path: '/spec/domain/cpu/sockets', from: current, to: wanted, nowMs },
    increase: { cpuFactor: wanted / current, memoryBytes: 0 },
  });
}

function memoryChange(template: VMISpec | undefined, vmi: Vmi, place: PlaceToGrow, nowMs: number): Change {
  const wanted = template?.domain.memory?.guest;
  const { guest: current, maxGuest } = vmi.spec.domain.memory ?? {};
  if (wanted === undefined || current === undefined || bytes(wanted) === bytes(current)) return NONE;
  const domain = { ...vmi.spec.domain, memory: { ...vmi.spec.domain.memory, guest: wanted } };
  const isBelowBoot = bytes(wanted) < bytes(vmi.status?.memory?.guestAtBoot ?? current);
  const problem = hotplugMemoryProblem({ ...vmi.spec, domain }, maxGuest);
  if (maxGuest === undefined || isBelowBoot || problem !== undefined || !canFollow(vmi, place))
    return RESTART;
  return live('memory', vmi, place, {
    ...{ path: '/spec/domain/memory/guest', from: current, to: wanted, nowMs },
    increase: { cpuFactor: 1, memoryBytes: bytes(wanted) - bytes(current) },
    also: podMemory(template, vmi, wanted),
  });
}

/**
 * What the VMI asks for its Pod follows the guest, as KubeVirt has it: a request by as much as the guest grows, and never
 * below the guest (after memory was taken away the guest may still hold more than it was told); a limit by as much.
 */
function podMemory(template: VMISpec | undefined, vmi: Vmi, wanted: string | number): Patch {
  const { requests, limits } = vmi.spec.domain.resources ?? {};
  const held = bytes(vmi.status?.memory?.guestCurrent ?? vmi.spec.domain.memory?.guest ?? wanted);
  let delta = bytes(wanted) - held;
  const patch: JsonPatchOperation[] = [];
  const change = (path: string, from: string | number, to: number): void => {
    patch.push(...guardedChange(path, from, Amount.ofBytes(to).toString()));
  };
  const asked = requests?.['memory'];
  if (asked !== undefined && bytes(asked) > 0) {
    const isBelow = bytes(asked) + delta < bytes(wanted);
    change('/spec/domain/resources/requests/memory', asked, isBelow ? bytes(wanted) : bytes(asked) + delta);
    if (isBelow) delta = 0;
  }
  const limit = limits?.['memory'];
  if (limit !== undefined && template?.domain.resources?.limits?.['memory'] !== undefined && delta !== 0)
    change('/spec/domain/resources/limits/memory', limit, bytes(limit) + delta);
  return patch;
}

interface Step {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly increase: Increase;
  readonly nowMs: number;
  /** Further changes of the VMI. */
  readonly also?: Patch;
}

function live(
  resource: Resource,
  vmi: Vmi,
  place: PlaceToGrow,
  { path, from, to, increase, nowMs, also = [] }: Step,
): Change {
  const why = placeProblem(place, resource, vmi, increase.memoryBytes);
  if (why !== undefined) return { kind: 'restart', why };
  const condition = {
    type: CONDITIONS[resource],
    status: 'True',
    ...(place.kind === 'in place' ? { reason: IN_PLACE } : {}),
    lastTransitionTime: rfc3339(nowMs),
  };
  return {
    kind: 'live',
    patch: [
      ...guardedChange(path, from, to),
      ...also,
      { op: 'add', path: '/status/conditions/-', value: condition },
    ],
    increase,
  };
}

/** By a migration only a guest that can be migrated. */
function canFollow({ spec, status }: Vmi, place: PlaceToGrow): boolean {
  if (spec.architecture === 'arm64') return false;
  return place.kind !== 'other node' || hasCondition(status?.conditions, 'LiveMigratable', 'True');
}

function bytes(quantity: string | number): number {
  return parseQuantity(String(quantity)).value();
}
