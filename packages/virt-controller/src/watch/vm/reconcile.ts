/**
 * The VM controller's decisions. Pure: what the cache shows goes in, what is to be done comes out. Nothing
 * here depends on which event caused the pass.
 */
import { finalizers, type VirtualMachineInstance, vmFailureReasons, type VMHibernation } from '@podvisor/api';
import { assertNever, deepEqual } from '@podvisor/base';
import { guardedChange, type JsonPatchOperation } from '@podvisor/kube';
import { ORPHAN_FINALIZER } from '../names.ts';
import { isDeleting, isFinal } from '../vmi-phase.ts';
import { hibernationClaimName } from './hibernation-claim.ts';
import { hibernationDecides, hibernationPatch, isClaimLeft, nextHibernation } from './hibernation.ts';
import { MATCHER_FIELDS } from './instancetype.ts';
import { unpluggedPatch } from './live/live-networks.ts';
import { liveUpdates, restartNeeded, volumeActions, volumeUpdate } from './live/live-updates.ts';
import { IDLE, type VmAction, type VmObservation, type VmPlan } from './plan.ts';
import { decideRun, type RunDecision } from './run/decide-run.ts';
import { isSetToStart } from './run/run-strategy.ts';
import { setToRunPatch, startAction, startProblem } from './run/start.ts';
import { planDataVolumes } from './volumes/data-volumes.ts';
import { dumpNote, memoryDumpTemplatePatch } from './volumes/memory-dump.ts';
import { volumeRequestPatch } from './volumes/volume-requests.ts';

/** An event that never comes must not stop a VM for ever. */
const RECHECK_MS = 60_000;

export function reconcileVm(observed: VmObservation): VmPlan {
  const { vm } = observed;
  if (!observed.cacheCaughtUp) return { ...IDLE, cacheIsBehind: true, requeueAfterMs: RECHECK_MS };
  if (vm.metadata?.deletionTimestamp !== undefined) return planDeletion(observed);
  const expansion = expansionPatch(observed);
  const plan: VmPlan =
    expansion.length === 0
      ? planRun(observed)
      : { ...IDLE, actions: [{ kind: 'patchVm', patch: expansion }], strategyInForce: false };
  const first: VmAction[] = vm.metadata?.finalizers?.includes(finalizers.vm)
    ? []
    : [{ kind: 'addFinalizer' }];
  // Both of volumes test the list: one after the other.
  const requested = volumeRequestPatch(vm);
  const volumes = requested.length > 0 ? requested : memoryDumpTemplatePatch(vm);
  const patches = [volumes, unpluggedPatch(vm.spec.template?.spec, observed.vmi)];
  const own = patches.flatMap((patch): readonly VmAction[] =>
    patch.length === 0 ? [] : [{ kind: 'patchVm', patch }],
  );
  return { ...plan, actions: [...first, ...own, ...noteDump(observed), ...plan.actions] };
}

function noteDump({ vm, storage }: VmObservation): readonly VmAction[] {
  const request = vm.status?.memoryDumpRequest;
  const claim = request?.claimName ?? '';
  const note = dumpNote(request, storage.claim(claim));
  return note === undefined ? [] : [{ kind: 'noteDump', claim, note }];
}

/** Puts the expanded template into the VM, in place of what it referred to. */
function expansionPatch({ expanded, vm }: VmObservation): readonly JsonPatchOperation[] {
  if (expanded.kind !== 'template' || expanded.replacesSpec !== true) return [];
  const matchers = MATCHER_FIELDS.filter((field) => (vm.spec[field] ?? undefined) !== undefined);
  if (matchers.length === 0) return [];
  return [
    ...guardedChange('/spec/template', vm.spec.template, expanded.template),
    ...matchers.flatMap((field) => guardedChange(`/spec/${field}`, vm.spec[field], undefined)),
  ];
}

/** The VM goes after its VMI, unless the user asked to leave the VMI behind. */
function planDeletion({ vm, vmi }: VmObservation): VmPlan {
  const present = vm.metadata?.finalizers ?? [];
  if (vmi === undefined || present.includes(ORPHAN_FINALIZER)) {
    return { ...IDLE, actions: present.includes(finalizers.vm) ? [{ kind: 'removeFinalizer' }] : [] };
  }
  return { ...IDLE, actions: isDeleting(vmi) ? [] : [{ kind: 'stop', vmi }] };
}

function planRun(observed: VmObservation): VmPlan {
  const { vm, storage } = observed;
  const input = { ...observed, claim: storage.claim(hibernationClaimName(vm)) };
  const hibernation = nextHibernation(input);
  // Noted before anything is started: a start that fails must not find a state that was given up, nor an old refusal.
  const isNews = observed.vmi === undefined && !deepEqual(hibernation, vm.status?.hibernation ?? undefined);
  const plan = isNews ? { ...IDLE, strategyInForce: false } : planStrategy(observed, hibernation);
  const left = isClaimLeft(hibernation, input) ? input.claim : undefined;
  return {
    ...plan,
    actions: [
      ...(left === undefined ? [] : [{ kind: 'deleteClaim', claim: left } as const]),
      ...plan.actions,
      ...hibernate(observed, hibernation),
    ],
    ...(hibernation === undefined ? {} : { hibernation }),
  };
}

/** The claim is made once the request is noted in the status, and then plugged into the running VMI. */
function hibernate(
  { vm, vmi, hibernationClaim }: VmObservation,
  hibernation: VMHibernation | undefined,
): readonly VmAction[] {
  if (vmi === undefined || isFinal(vmi) || isDeleting(vmi)) return [];
  const isNoted = vm.status?.hibernation?.phase === hibernation?.phase;
  const patch = hibernationPatch(hibernation, vmi);
  if (!isNoted || patch.length === 0) return [];
  const plug: VmAction = { kind: 'patchVmi', patch };
  if (hibernation?.phase !== 'Saving' || hibernationClaim === undefined) return [plug];
  return [{ kind: 'createClaim', claim: hibernationClaim }, plug];
}

function planStrategy(observed: VmObservation, hibernation: VMHibernation | undefined): VmPlan {
  const { vm, vmi, nowMs } = observed;
  const storage = planDataVolumes(vm, observed.storage, isSetToStart(vm, vmi));
  const volumes = volumeUpdate(observed);
  const base: VmPlan = {
    ...IDLE,
    ...restartNeeded(observed),
    ...(volumes.kind === 'refused' ? { restartRequired: true, restartMessage: volumes.message } : {}),
    ...(volumes.kind === 'waits' || volumes.kind === 'stop'
      ? { problem: { reason: vmFailureReasons.volumesUpdate, message: volumes.message } }
      : {}),
    dataVolumeError: storage.kind === 'failed' || storage.kind === 'notServed',
  };
  const decision = hibernationDecision(hibernation, vmi) ?? decideRun(vm, vmi, nowMs);
  switch (decision.kind) {
    case 'nothing':
      return {
        ...base,
        actions: [...createDataVolumes(storage), ...volumeActions(volumes), ...liveUpdates(observed)],
      };
    case 'backOff':
      return { ...base, requeueAfterMs: decision.ms, strategyInForce: false };
    case 'stop':
      if (vmi === undefined || isDeleting(vmi)) return base;
      return { ...base, actions: [{ kind: 'stop', vmi }], queueStart: decision.queueStart };
    case 'setToRun':
      return { ...base, actions: [{ kind: 'patchVm', patch: setToRunPatch(vm) }] };
    case 'start': {
      const problem = startProblem(observed, storage);
      if (problem !== undefined) return { ...base, problem, strategyInForce: false };
      if (storage.kind !== 'ready')
        return { ...base, actions: createDataVolumes(storage), strategyInForce: false };
      return { ...base, actions: [startAction(observed, hibernation)] };
    }
    default:
      return assertNever(decision);
  }
}

function hibernationDecision(
  hibernation: VMHibernation | undefined,
  vmi: VirtualMachineInstance | undefined,
): RunDecision | undefined {
  const decided = hibernationDecides(hibernation, vmi);
  if (decided === undefined) return undefined;
  return decided === 'stop' ? { kind: 'stop', queueStart: false } : { kind: 'nothing' };
}

function createDataVolumes(storage: ReturnType<typeof planDataVolumes>): readonly VmAction[] {
  if (storage.kind !== 'wait') return [];
  return storage.create.map((dataVolume) => ({ kind: 'createDataVolume', dataVolume }));
}
