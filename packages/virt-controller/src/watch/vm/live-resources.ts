/**
 * More CPUs and memory for a guest that runs. The room for them was made at its start (`maxSockets`, `maxGuest`);
 * the guest gets them on its next node, whose Pod is made for the new size. So a change goes into the VMI with a
 * condition that asks for a migration (`HotVCPUChange`, `HotMemoryChange`), and virt-handler of the new node takes
 * the condition away when the guest has what it should have. Where there is no other node, a restart is all that
 * brings them: a migration would fail for ever. Pure.
 */
import { hotplugMemoryProblem, type VirtualMachineInstance, type VMISpec } from '@podvisor/api';
import { parseQuantity, rfc3339 } from '@podvisor/base';
import { type JsonPatchOperation, guardedChange } from '@podvisor/kube';
import { hasCondition } from '../conditions.ts';
import { waitsForMigration } from '../migration/facts.ts';
import { isMigrating } from '../vmi-phase.ts';

type Vmi = VirtualMachineInstance;
type Patch = readonly JsonPatchOperation[];

type Change =
  | { readonly kind: 'none' }
  /** The guest can follow. */
  | { readonly kind: 'live'; readonly patch: Patch }
  | { readonly kind: 'restart' };

const NONE: Change = { kind: 'none' };
const RESTART: Change = { kind: 'restart' };

/** The patch of the VMI that brings it closer to the template; empty when nothing is to be done now. */
export function liveResourcesPatch(
  template: VMISpec | undefined,
  vmi: Vmi,
  hasOtherNode: boolean,
  nowMs: number,
): Patch {
  // One change at a time: the migration that finishes the last one must not meet another.
  if (waitsForMigration(vmi) || isMigrating(vmi) || !hasOtherNode) return [];
  const changes = [cpuChange(template, vmi, nowMs), memoryChange(template, vmi, nowMs)];
  return changes.flatMap((change) => (change.kind === 'live' ? change.patch : []));
}

/** True when the template asks for CPUs or memory that only a restart brings. */
export function resourcesNeedRestart(
  template: VMISpec | undefined,
  vmi: Vmi,
  hasOtherNode: boolean,
): boolean {
  return (
    [cpuChange(template, vmi, 0), memoryChange(template, vmi, 0)].some(({ kind }) => kind === 'restart') ||
    (!hasOtherNode && resourcesNeedNode(template, vmi))
  );
}

/** True when the guest could follow, were there another node. */
export function resourcesNeedNode(template: VMISpec | undefined, vmi: Vmi): boolean {
  if (waitsForMigration(vmi) || isMigrating(vmi)) return false;
  return [cpuChange(template, vmi, 0), memoryChange(template, vmi, 0)].some(({ kind }) => kind === 'live');
}

/** The template without what is judged here. */
export function withoutLiveResources(domain: VMISpec['domain']): object {
  const { sockets: _sockets, ...cpu } = domain.cpu ?? {};
  const { guest: _guest, ...memory } = domain.memory ?? {};
  return { ...domain, cpu, memory };
}

function cpuChange(template: VMISpec | undefined, vmi: Vmi, nowMs: number): Change {
  const wanted = template?.domain.cpu?.sockets ?? 0;
  const { sockets: current = 1, maxSockets = 0 } = vmi.spec.domain.cpu ?? {};
  if (wanted === 0 || wanted === current) return NONE;
  if (wanted < current || wanted > maxSockets || !canMove(vmi)) return RESTART;
  return live('/spec/domain/cpu/sockets', current, wanted, 'HotVCPUChange', nowMs);
}

function memoryChange(template: VMISpec | undefined, vmi: Vmi, nowMs: number): Change {
  const wanted = template?.domain.memory?.guest;
  const { guest: current, maxGuest } = vmi.spec.domain.memory ?? {};
  if (wanted === undefined || current === undefined || bytes(wanted) === bytes(current)) return NONE;
  const domain = { ...vmi.spec.domain, memory: { ...vmi.spec.domain.memory, guest: wanted } };
  const isBelowBoot = bytes(wanted) < bytes(vmi.status?.memory?.guestAtBoot ?? current);
  const problem = hotplugMemoryProblem({ ...vmi.spec, domain }, maxGuest);
  if (maxGuest === undefined || isBelowBoot || problem !== undefined || !canMove(vmi)) return RESTART;
  return live('/spec/domain/memory/guest', current, wanted, 'HotMemoryChange', nowMs);
}

function live(path: string, from: unknown, to: unknown, type: string, nowMs: number): Change {
  const condition = { type, status: 'True', lastTransitionTime: rfc3339(nowMs) };
  return {
    kind: 'live',
    patch: [...guardedChange(path, from, to), { op: 'add', path: '/status/conditions/-', value: condition }],
  };
}

function canMove({ spec, status }: Vmi): boolean {
  return spec.architecture !== 'arm64' && hasCondition(status?.conditions, 'LiveMigratable', 'True');
}

function bytes(quantity: string | number): number {
  return parseQuantity(String(quantity)).value();
}
