/**
 * Hibernation of a VM, step by step, from what is seen: a request is noted (Saving), the claim is made and plugged into
 * the running VMI, the node writes the guest to it and ends it (Hibernated). The VM then stays off, whatever its run
 * strategy says (`isHeld`), until it is started by name; its next VMI wakes from the claim. What was noted comes before
 * what is done, so that any pass can be the last one of a process. Pure.
 */
import {
  annotations,
  HIBERNATION_VOLUME,
  HIBERNATION_VOLUME_TYPE,
  type HibernatedInterface,
  hibernatedStateOf,
  hibernatedStateText,
  hibernationVolume,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMHibernation,
} from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { guardedChange, type JsonPatchOperation } from '@podvisor/kube';
import { hasCondition } from '../conditions.ts';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import { isDeleting, isFinal } from '../vmi-phase.ts';
import { hibernationClaimName } from './hibernation-claim.ts';
import { hasStartRequest, hibernateRequestFor, startDiscardsState } from './run/requests.ts';
import { runStrategyOf } from './run/run-strategy.ts';

/** What is looked at. */
export interface HibernationInput {
  readonly vm: VirtualMachine;
  /** The VM's own VMI. */
  readonly vmi: VirtualMachineInstance | undefined;
  /** The claim of the name that the VM's state has, whoever made it. */
  readonly claim: PersistentVolumeClaim | undefined;
  readonly nowMs: number;
}

/** `status.hibernation` after this pass. */
export function nextHibernation(input: HibernationInput): VMHibernation | undefined {
  const { vm, vmi, nowMs } = input;
  const known = vm.status?.hibernation ?? undefined;
  if (vmi !== undefined && isAsked(vm, vmi) && known?.vmiUID !== vmi.metadata?.uid)
    return {
      phase: 'Saving',
      claimName: hibernationClaimName(vm),
      vmiUID: vmi.metadata?.uid ?? '',
      requestTimestamp: rfc3339(nowMs),
      interfaces: knownInterfaces(vmi),
    };
  switch (known?.phase) {
    case 'Saving':
      return afterSaving(known, input);
    case 'Hibernated':
      return afterHibernated(known, input);
    default:
      // A failure is told as long as the VMI that it is about is there.
      return known?.vmiUID === vmi?.metadata?.uid ? known : undefined;
  }
}

/** The addresses that the guest knows its interfaces by. */
export function knownInterfaces({ status }: VirtualMachineInstance): readonly HibernatedInterface[] {
  return (status?.interfaces ?? []).flatMap(({ name, mac }) =>
    name === undefined || name === '' || mac === undefined ? [] : [{ name, mac }],
  );
}

function isAsked(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  return (hibernateRequestFor(vm, vmi) || isEvicted(vmi)) && !isFinal(vmi) && !isDeleting(vmi);
}

/** Its node is drained, it cannot migrate, and it says that it rather sleeps than ends. */
function isEvicted({ spec, status }: VirtualMachineInstance): boolean {
  return (
    spec.evictionStrategy === 'HibernateIfNotMigratable' &&
    status?.evacuationNodeName !== undefined &&
    status.evacuationNodeName === status.nodeName &&
    !hasCondition(status.conditions, 'LiveMigratable', 'True')
  );
}

function afterSaving(known: VMHibernation, { vm, vmi, claim, nowMs }: HibernationInput): VMHibernation {
  const failed = (message: string): VMHibernation => ({ ...known, phase: 'Failed', message });
  if (claim !== undefined && !isControlledBy(claim, vm, ownerKinds.vm))
    return failed(`the claim ${known.claimName} exists and does not belong to this VM`);
  const own = vmi?.metadata?.uid === known.vmiUID ? vmi : undefined;
  const told = own?.status?.hibernation;
  if (told?.phase === 'Failed') return failed(told.message ?? 'the guest could not be saved');
  if (own !== undefined && !isFinal(own)) return known;
  if (own !== undefined && hibernationVolume(own.spec) === undefined)
    return failed('the guest ended before it was hibernated');
  // Whoever ended without a word may have written all of it: the next start looks.
  const isWhole = told?.phase === 'Saved';
  return {
    ...known,
    phase: 'Hibernated',
    isHeld: true,
    isWhole,
    hibernatedTimestamp: told?.endTimestamp ?? rfc3339(nowMs),
    ...(told?.sizeBytes === undefined ? {} : { sizeBytes: told.sizeBytes }),
  };
}

function afterHibernated(known: VMHibernation, { vm, vmi }: HibernationInput): VMHibernation | undefined {
  const { isHeld: _held, reason: _reason, message: _message, ...free } = known;
  if (vmi === undefined || vmi.metadata?.uid === known.vmiUID) {
    if (vmi === undefined && startDiscardsState(vm)) return undefined;
    // Who halts it has taken it in hand: from then on the run strategy counts again.
    return hasStartRequest(vm) || runStrategyOf(vm) === 'Halted' ? free : known;
  }
  const told = vmi.status?.hibernation;
  if (told?.phase === 'Refused')
    return { ...free, isHeld: true, reason: told.reason ?? 'StateDamaged', message: told.message ?? '' };
  return hasRun(vmi) ? undefined : free;
}

/** A guest that has run has left its state behind: it is never loaded again. */
function hasRun({ status }: VirtualMachineInstance): boolean {
  return (
    status?.phase === 'Running' ||
    status?.phase === 'Succeeded' ||
    status?.phaseTransitionTimestamps?.some(({ phase }) => phase === 'Running') === true
  );
}

/** What hibernation says about the VMI before the run strategy is asked; undefined: nothing. */
export function hibernationDecides(
  hibernation: VMHibernation | undefined,
  vmi: VirtualMachineInstance | undefined,
): 'nothing' | 'stop' | undefined {
  if (hibernation?.phase !== 'Hibernated') return undefined;
  if (vmi === undefined) return hibernation.isHeld === true ? 'nothing' : undefined;
  const isOver = vmi.metadata?.uid === hibernation.vmiUID || vmi.status?.hibernation?.phase === 'Refused';
  return isOver ? 'stop' : undefined;
}

/** The change of the running VMI: the claim comes while it is saved, and goes when that failed. */
export function hibernationPatch(
  hibernation: VMHibernation | undefined,
  { spec, metadata }: VirtualMachineInstance,
): readonly JsonPatchOperation[] {
  const old = spec.utilityVolumes ?? [];
  const isSaving = hibernation?.phase === 'Saving' && hibernation.vmiUID === metadata?.uid;
  if (isSaving === (hibernationVolume(spec) !== undefined)) return [];
  const others = old.filter(({ type }) => type !== HIBERNATION_VOLUME_TYPE);
  const next = isSaving
    ? [
        ...others,
        { name: HIBERNATION_VOLUME, claimName: hibernation.claimName, type: HIBERNATION_VOLUME_TYPE },
      ]
    : others;
  return guardedChange('/spec/utilityVolumes', spec.utilityVolumes, next.length === 0 ? undefined : next);
}

/** Nobody needs the claim any more: there is no state on it, and no VMI has it. */
export function isClaimLeft(
  hibernation: VMHibernation | undefined,
  { vm, vmi, claim }: Omit<HibernationInput, 'nowMs'>,
): boolean {
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return false;
  if (!isControlledBy(claim, vm, ownerKinds.vm)) return false;
  if (hibernation !== undefined && hibernation.phase !== 'Failed') return false;
  if (vmi === undefined) return true;
  const isPlugged = vmi.status?.volumeStatus?.some(({ name }) => name === HIBERNATION_VOLUME) === true;
  return !isPlugged && hibernationVolume(vmi.spec) === undefined && hibernatedStateOf(vmi) === undefined;
}

/**
 * The VMI that wakes: it is told where its state is, and keeps the MAC addresses that the guest knows. A copy that gets
 * an identity of its own has MAC addresses as a new VMI has them; its launcher tells the guest.
 */
export function wakingVmi(
  vmi: VirtualMachineInstance,
  hibernation: VMHibernation | undefined,
): VirtualMachineInstance {
  if (hibernation?.phase !== 'Hibernated') return vmi;
  const { claimName, vmiUID: id, isWhole = false, isOfSnapshot, newIdentity } = hibernation;
  const state = hibernatedStateText({ claimName, id, isWhole, isOfSnapshot, newIdentity });
  const known = newIdentity === true ? [] : (hibernation.interfaces ?? []);
  const macs = new Map(known.map(({ name, mac }) => [name, mac]));
  const { devices } = vmi.spec.domain;
  const interfaces = devices.interfaces?.map((nic) =>
    nic.macAddress !== undefined || !macs.has(nic.name) ? nic : { ...nic, macAddress: macs.get(nic.name) },
  );
  return {
    ...vmi,
    metadata: {
      ...vmi.metadata,
      annotations: { ...vmi.metadata?.annotations, [annotations.hibernatedState]: state },
    },
    spec: {
      ...vmi.spec,
      domain: {
        ...vmi.spec.domain,
        devices: interfaces === undefined ? devices : { ...devices, interfaces },
      },
    },
  };
}
