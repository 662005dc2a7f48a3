/**
 * The VM controller's decisions. Pure: what the cache shows goes in, what is to be done comes out. Nothing
 * here depends on which event caused the pass.
 */
import { type JsonPatchOperation, guardedChange } from '@podvisor/kube';
import {
  type ControllerRevision,
  finalizers,
  type Pod,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VMHibernation,
  type VMISpec,
  vmFailureReasons,
  type VMSpec,
  type DataVolume,
} from '@podvisor/api';
import { assertNever, deepEqual } from '@podvisor/base';
import { ORPHAN_FINALIZER } from '../names.ts';
import { isDeleting, isFinal } from '../vmi-phase.ts';
import { withoutMoves } from '../volume-migration/changed.ts';
import { planVolumeUpdate, type VolumeUpdate } from '../volume-migration/plan.ts';
import { needsRecovery, recoveryMessage } from '../volume-migration/status.ts';
import { buildVmi } from './build-vmi.ts';
import { trackingAtStart, type DesiredTracking } from './volumes/changed-block-tracking.ts';
import type { SyncProblem } from './conditions.ts';
import { planDataVolumes, type StorageView } from './volumes/data-volumes.ts';
import { decideRun, type RunDecision } from './run/decide-run.ts';
import type { ExpandedTemplate } from './expansion.ts';
import { generationPatch } from './generations.ts';
import {
  hibernationDecides,
  hibernationPatch,
  isClaimLeft,
  nextHibernation,
  wakingVmi,
} from './hibernation.ts';
import { hibernationClaimName } from './hibernation-claim.ts';
import { MATCHER_FIELDS } from './instancetype.ts';
import { liveNetworksPatch, unpluggedPatch } from './live/live-networks.ts';
import { liveVolumesPatch } from './live/live-volumes.ts';
import { liveResources, whyNotLive } from './live/live-resources.ts';
import { type PlaceToGrow, raisedRequests } from './place-to-grow.ts';
import { dumpNote, memoryDumpPatch, memoryDumpTemplatePatch } from './volumes/memory-dump.ts';
import { changedFields, describeChanges } from './live/changed-fields.ts';
import { LIVE_FIELDS, needsRestart, RESTART_REQUIRED_MESSAGE } from './live/restart-required.ts';
import { buildStartRevision } from './revision.ts';
import { isSetToStart, runStrategyOf } from './run/run-strategy.ts';
import { volumeRequestPatch } from './volumes/volume-requests.ts';

/** All that one pass looks at. */
export interface VmObservation {
  readonly vm: VirtualMachine;
  /** The VMI of the same name that this VM owns by UID. */
  readonly vmi: VirtualMachineInstance | undefined;
  /** A VMI of the same name exists and belongs to somebody else. */
  readonly nameTaken: boolean;
  readonly storage: StorageView;
  /** Of the VMI. */
  readonly migrations: readonly VirtualMachineInstanceMigration[];
  /** Another node than the VMI's could run it. */
  readonly hasOtherNode: boolean;
  /** Where the guest takes over more CPUs or memory. */
  readonly placeToGrow: PlaceToGrow;
  /** The template with instancetype and preference merged in. */
  readonly expanded: ExpandedTemplate;
  /** Spec that the VMI was started from; undefined when it is not known. */
  readonly startedFrom: VMSpec | undefined;
  /** False while the cache does not show what the last pass did. */
  readonly cacheCaughtUp: boolean;
  /** `vmRolloutStrategy` is LiveUpdate. */
  readonly liveUpdate: boolean;
  /** Whether changed blocks shall be tracked. */
  readonly tracking: DesiredTracking;
  /** The claim for the state of this guest, as it would be made now; undefined without a VMI. */
  readonly hibernationClaim: PersistentVolumeClaim | undefined;
  readonly nowMs: number;
  readonly random: () => number;
}

export type VmAction =
  | { readonly kind: 'addFinalizer' }
  | { readonly kind: 'removeFinalizer' }
  | { readonly kind: 'createDataVolume'; readonly dataVolume: DataVolume }
  | {
      readonly kind: 'start';
      readonly vmi: VirtualMachineInstance;
      readonly revision: ControllerRevision;
      /** Earlier starts may have left revisions behind. */
      readonly prune: boolean;
    }
  | { readonly kind: 'stop'; readonly vmi: VirtualMachineInstance }
  /** The claim for the state of a guest that hibernates. */
  | { readonly kind: 'createClaim'; readonly claim: PersistentVolumeClaim }
  | { readonly kind: 'deleteClaim'; readonly claim: PersistentVolumeClaim }
  /** Says on the claim which dump of memory is in it. */
  | { readonly kind: 'noteDump'; readonly claim: string; readonly note: string }
  | { readonly kind: 'patchVm'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly kind: 'patchVmi'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly kind: 'resizePod'; readonly pod: Pod; readonly requests: Readonly<Record<string, string>> }
  /** Disks begin or cease to move to other claims. */
  | { readonly kind: 'updateVolumes'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly kind: 'stopMigration'; readonly migration: VirtualMachineInstanceMigration };

export interface VmPlan {
  readonly actions: readonly VmAction[];
  /** The last act is not visible yet: not even the status can be told. */
  readonly cacheIsBehind?: boolean;
  /** What keeps the VM from starting although nothing failed on the way. */
  readonly problem?: SyncProblem;
  /** A storage problem, shown as DataVolumeError. */
  readonly dataVolumeError: boolean;
  readonly restartRequired: boolean;
  /** Why, when it is not a change of the template in general. */
  readonly restartMessage?: string;
  /** After the stop, a Start request is left in the status. */
  readonly queueStart: boolean;
  /** `status.hibernation` from now on. */
  readonly hibernation?: VMHibernation;
  /** The run strategy was carried out: `status.runStrategy` may say so. */
  readonly strategyInForce: boolean;
  readonly requeueAfterMs?: number;
}

/** An event that never comes must not stop a VM for ever. */
const RECHECK_MS = 60_000;

const IDLE: VmPlan = {
  actions: [],
  dataVolumeError: false,
  restartRequired: false,
  queueStart: false,
  strategyInForce: true,
};

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
    ...restart(observed),
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
      return { ...base, actions: [start(observed, hibernation)] };
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

function start({ vm, expanded, tracking }: VmObservation, hibernation: VMHibernation | undefined): VmAction {
  const template = expanded.kind === 'template' ? expanded.template : undefined;
  return {
    kind: 'start',
    vmi: wakingVmi(buildVmi(vm, template, trackingAtStart(vm, tracking)), hibernation),
    revision: buildStartRevision(vm),
    prune: vm.status?.observedGeneration !== undefined,
  };
}

/** What makes a start impossible until somebody changes something. */
function startProblem(
  { vm, vmi, nameTaken, expanded }: VmObservation,
  storage: ReturnType<typeof planDataVolumes>,
): SyncProblem | undefined {
  const name = vm.metadata?.name;
  if (needsRecovery(vm, vmi))
    return { reason: vmFailureReasons.volumesUpdate, message: recoveryMessage(vm, vmi) };
  if (nameTaken) {
    const message = `A VirtualMachineInstance named ${name} exists and does not belong to this VirtualMachine; delete it or rename one of them.`;
    return { reason: 'FailedCreate', message };
  }
  if (expanded.kind === 'problem') return expanded.problem;
  if (runStrategyOf(vm) === 'WaitAsReceiver') {
    return {
      reason: 'FailedCreate',
      message: 'Migration between clusters is not available yet: nothing can be received.',
    };
  }
  if (vm.spec.template?.spec === undefined) {
    return { reason: 'FailedCreate', message: 'spec.template.spec is missing.' };
  }
  if (storage.kind === 'notServed') {
    const message =
      'The VM has dataVolumeTemplates, but this cluster does not serve DataVolumes (cdi.kubevirt.io/v1beta1): install CDI, or create the claims yourself under the same names.';
    return { reason: 'FailedDataVolumeCreate', message };
  }
  if (storage.kind === 'failed') {
    return { reason: 'FailedDataVolumeImport', message: `DataVolume ${storage.name} failed to import.` };
  }
  return undefined;
}

function createDataVolumes(storage: ReturnType<typeof planDataVolumes>): readonly VmAction[] {
  if (storage.kind !== 'wait') return [];
  return storage.create.map((dataVolume) => ({ kind: 'createDataVolume', dataVolume }));
}

/** Volumes that move to other claims while the guest runs. */
function volumeUpdate(observed: VmObservation): VolumeUpdate {
  const { vmi } = observed;
  if (vmi === undefined || isFinal(vmi) || isDeleting(vmi)) return { kind: 'none' };
  return planVolumeUpdate({ ...observed, vmi });
}

function volumeActions(update: VolumeUpdate): readonly VmAction[] {
  if (update.kind === 'patch') return [{ kind: 'updateVolumes', patch: update.patch }];
  if (update.kind !== 'stop') return [];
  return update.migrations.map((migration) => ({ kind: 'stopMigration', migration }));
}

/** Whether the running VMI waits for a restart, and for which fields. */
function restart({ vm, vmi, startedFrom, liveUpdate, placeToGrow }: VmObservation): Partial<VmPlan> {
  if (vmi === undefined || isFinal(vmi) || isDeleting(vmi) || startedFrom === undefined) return {};
  if (!needsRestart(startedFrom, vm.spec, liveUpdate, vmi, placeToGrow)) return {};
  const why = liveUpdate ? whyNotLive(vm.spec.template?.spec, vmi, placeToGrow) : undefined;
  const changes = describeChanges(changedFields(startedFrom, vm.spec, liveUpdate));
  return {
    restartRequired: true,
    ...(changes === ''
      ? {}
      : {
          restartMessage: `${RESTART_REQUIRED_MESSAGE}: ${changes}${why === undefined ? '' : `; the running guest cannot have it: ${why}`}`,
        }),
  };
}

function setToRunPatch(vm: VirtualMachine): readonly JsonPatchOperation[] {
  const [path, from, to] =
    vm.spec.runStrategy === undefined
      ? ['/spec/running', vm.spec.running, true]
      : ['/spec/runStrategy', vm.spec.runStrategy, 'Always'];
  return guardedChange(path, from, to);
}

/** With volumes that migrate, a changed claim means a copy and not another disk. */
function liveTemplate({ spec }: VirtualMachine, vmi: VirtualMachineInstance): VMISpec | undefined {
  const wanted = spec.template?.spec;
  if (wanted?.volumes === undefined || spec.updateVolumesStrategy !== 'Migration') return wanted;
  return { ...wanted, volumes: withoutMoves(wanted.volumes, vmi) };
}

/** In place, its Pod asks for more before the guest has it. */
function resourceActions(
  { vm, placeToGrow }: VmObservation,
  vmi: VirtualMachineInstance,
  nowMs: number,
): readonly VmAction[] {
  const found = liveResources(vm.spec.template?.spec, vmi, placeToGrow, nowMs);
  if (found === undefined) return [];
  const patchVmi: VmAction = { kind: 'patchVmi', patch: found.patch };
  if (placeToGrow.kind !== 'in place') return [patchVmi];
  const { pod } = placeToGrow;
  return [{ kind: 'resizePod', pod, requests: raisedRequests(pod, found.increase) }, patchVmi];
}

/** Interfaces, volumes, CPUs, memory and scheduling constraints follow the template while the VMI runs. */
function liveUpdates(observed: VmObservation): readonly VmAction[] {
  const { vm, vmi, startedFrom, liveUpdate, nowMs } = observed;
  if (vmi === undefined || startedFrom === undefined || isFinal(vmi) || isDeleting(vmi)) return [];
  const networks = liveNetworksPatch(vm.spec.template?.spec, vmi);
  const volumes = liveVolumesPatch(liveTemplate(vm, vmi), vmi);
  const dump = memoryDumpPatch(vm.status?.memoryDumpRequest, vmi);
  // Both change the list of volumes: one after the other.
  const generation = generationPatch(observed);
  const plug: VmAction[] = [generation, networks, volumes.length > 0 ? volumes : dump].flatMap(
    (patch): readonly VmAction[] => (patch.length === 0 ? [] : [{ kind: 'patchVmi', patch }]),
  );
  if (!liveUpdate) return plug;
  plug.push(...resourceActions(observed, vmi, nowMs));
  const wanted: Partial<VMISpec> = vm.spec.template?.spec ?? {};
  const patch = LIVE_FIELDS.flatMap((field) =>
    deepEqual(wanted[field], vmi.spec[field])
      ? []
      : guardedChange(`/spec/${field}`, vmi.spec[field], wanted[field]),
  );
  return patch.length === 0 ? plug : [...plug, { kind: 'patchVmi', patch }];
}
