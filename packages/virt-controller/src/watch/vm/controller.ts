/**
 * The VM controller: looks at the caches, lets `reconcile` decide, carries it out, records the status.
 * The status is written before a finished VMI is released, so that no failed start goes uncounted.
 */
import {
  type ClusterConfig,
  finalizers,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VMSpec,
} from '@podvisor/api';
import { type Clock, deepEqual } from '@podvisor/base';
import {
  type Expectations,
  OwnWrites,
  keyOf,
  type ReconcileResult,
  resources,
  patchGuarded,
  guardedChange,
  stillHas,
  type ControllerSteps,
  ignoreNotFound,
} from '@podvisor/kube';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import { isDeleting, isFinal } from '../vmi-phase.ts';
import { applyVmActions, type VmClient } from './apply.ts';
import type { DesiredTracking } from './volumes/changed-block-tracking.ts';
import type { StorageView } from './volumes/data-volumes.ts';
import type { Recorder } from '../recorder.ts';
import { type ExpandedTemplate, expandTemplate } from './expansion.ts';
import { capturedRevision, MATCHER_FIELDS } from './instancetype.ts';
import type { PlaceToGrow } from './place-to-grow.ts';
import { buildHibernationClaim } from './hibernation-claim.ts';
import { hibernationEvents } from './hibernation-events.ts';
import { reconcileVm } from './reconcile.ts';
import type { VmObservation, VmPlan } from './plan.ts';
import { specOfRevision } from './revision.ts';
import { mayDifferFromStart } from './generations.ts';
import { vmStatus } from './status.ts';

export interface VmControllerOptions {
  readonly client: VmClient;
  readonly recorder: Recorder;
  readonly expectations: Expectations;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  vm(key: string): VirtualMachine | undefined;
  vmi(key: string): VirtualMachineInstance | undefined;
  storage(namespace: string): StorageView;
  /** Of the VMI with this key. */
  migrationsOf(key: string): readonly VirtualMachineInstanceMigration[];
  /** Some other node than this one runs guests. */
  hasOtherNode(name: string | undefined): boolean;
  /** Where this guest takes over more CPUs or memory. */
  placeToGrow(vmi: VirtualMachineInstance): PlaceToGrow;
  /** `vmRolloutStrategy` of the cluster is LiveUpdate. */
  liveUpdate(): boolean;
  /** What the cluster's configuration says now. */
  config(): Pick<ClusterConfig, 'configuration'>;
  /** Whether the changed blocks of a VM shall be tracked. */
  tracking(vm: VirtualMachine): DesiredTracking;
  /** Whether VMs keep their references to instancetypes and preferences. */
  referencePolicy(): ClusterConfig['instancetypeReferencePolicy'];
}

export class VmController implements ControllerSteps<VmObservation, VmPlan> {
  readonly #options: VmControllerOptions;
  readonly #writes = new OwnWrites<VirtualMachine>();

  constructor(options: VmControllerOptions) {
    this.#options = options;
  }

  async observe(key: string, signal: AbortSignal): Promise<VmObservation | undefined> {
    const vm = this.#options.vm(key);
    if (vm === undefined) {
      this.#writes.forget(key);
      return undefined;
    }
    // The event of what we wrote wakes the key again.
    return this.#writes.isBehind(vm) ? undefined : this.#observe(vm, signal);
  }

  plan(observed: VmObservation): VmPlan {
    return reconcileVm(observed);
  }

  async apply(plan: VmPlan, observed: VmObservation, signal: AbortSignal): Promise<ReconcileResult> {
    const { client } = this.#options;
    const { vm } = observed;
    if (plan.cacheIsBehind) return { requeueAfterMs: plan.requeueAfterMs };
    const wrote = (after: VirtualMachine): void => this.#writes.wrote(vm, after);
    const outcome = await applyVmActions(vm, plan.actions, { ...this.#options, wrote }, signal);
    if (plan.actions.some((a) => a.kind === 'removeFinalizer') && outcome.error === undefined) {
      this.#options.expectations.forget(vm.metadata?.uid ?? '');
      return;
    }
    const status = vmStatus(observed, plan, outcome);
    // A VMI that was just made shows up in a moment, and has more to tell: one write instead of two.
    const wait = outcome.started && outcome.problem === undefined;
    if (!wait && !deepEqual(status, vm.status ?? {})) await this.#writeStatus(vm, status, plan, signal);
    for (const event of hibernationEvents(vm.status?.hibernation, status.hibernation, observed.vmi))
      this.#options.recorder.event(vm, ...event);
    await release(observed.vmi, client, signal);
    if (outcome.error !== undefined) throw outcome.error;
    return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
  }

  /** A pass that changed the VM itself has made its own copy old: then only the status is replaced. */
  async #writeStatus(
    vm: VirtualMachine,
    status: NonNullable<VirtualMachine['status']>,
    plan: VmPlan,
    signal: AbortSignal,
  ): Promise<void> {
    const { client } = this.#options;
    const changedVm = plan.actions.some((a) => a.kind === 'addFinalizer' || a.kind === 'patchVm');
    if (!changedVm) {
      const after = await client.updateStatus(resources.virtualMachines, { ...vm, status }, {}, signal);
      this.#writes.wrote(vm, after);
      return;
    }
    const key = { namespace: vm.metadata?.namespace, name: vm.metadata?.name ?? '' };
    const body = [
      stillHas('/metadata/uid', vm.metadata?.uid),
      ...guardedChange('/status', vm.status, status),
    ];
    this.#writes.wrote(
      vm,
      await patchGuarded(client, resources.virtualMachines, key, body, signal, 'status'),
    );
  }

  async #observe(vm: VirtualMachine, signal: AbortSignal): Promise<VmObservation> {
    const { vmi: find, storage, expectations, clock, random, liveUpdate } = this.#options;
    const found = find(keyOf(vm));
    const vmi = found !== undefined && isControlledBy(found, vm, ownerKinds.vm) ? found : undefined;
    const view = storage(vm.metadata?.namespace ?? '');
    return {
      vm,
      vmi,
      nameTaken: found !== undefined && vmi === undefined,
      storage: view,
      hibernationClaim:
        vmi === undefined ? undefined : buildHibernationClaim(vm, vmi, this.#options.config(), view),
      migrations: this.#options.migrationsOf(keyOf(vm)),
      hasOtherNode: this.#options.hasOtherNode(vmi?.status?.nodeName),
      placeToGrow: vmi === undefined ? { kind: 'nowhere' } : this.#options.placeToGrow(vmi),
      expanded: await this.#expand(vm, vmi, signal),
      startedFrom: await this.#startedFrom(vm, vmi, signal),
      cacheCaughtUp: expectations.satisfied(vm.metadata?.uid ?? ''),
      liveUpdate: liveUpdate(),
      tracking: this.#options.tracking(vm),
      nowMs: clock.now(),
      random,
    };
  }

  /** Captures what the VM selects when it is first seen, and merges it when there is a VMI to make. */
  async #expand(
    vm: VirtualMachine,
    vmi: VirtualMachineInstance | undefined,
    signal: AbortSignal,
  ): Promise<ExpandedTemplate> {
    const captured = MATCHER_FIELDS.every(
      (field) => (vm.spec[field] ?? undefined) === undefined || capturedRevision(vm, field) !== undefined,
    );
    if ((captured && vmi !== undefined) || vm.metadata?.deletionTimestamp !== undefined) {
      return { kind: 'template', template: vm.spec.template, refs: {} };
    }
    const policy = this.#options.referencePolicy();
    // `expand` is for VMs that have captured nothing yet, `expandAll` for those that have, too.
    const expands = vmi === undefined && (policy === 'expandAll' || (policy === 'expand' && !captured));
    return expandTemplate(vm, this.#options.client, signal, !expands);
  }

  /** Reads the start revision only when the generations differ: most passes need no request at all. */
  async #startedFrom(
    vm: VirtualMachine,
    vmi: VirtualMachineInstance | undefined,
    signal: AbortSignal,
  ): Promise<VMSpec | undefined> {
    if (vmi === undefined || isFinal(vmi) || isDeleting(vmi)) return undefined;
    if (!mayDifferFromStart({ vm, vmi })) return vm.spec;
    const name = vmi.status?.virtualMachineRevisionName;
    if (name === undefined) return undefined;
    const key = { namespace: vm.metadata?.namespace, name };
    return specOfRevision(await this.#options.client.find(resources.controllerRevisions, key, signal));
  }
}

/** Lets a finished VMI go: its end is in the VM's status now. */
async function release(
  vmi: VirtualMachineInstance | undefined,
  client: VmClient,
  signal: AbortSignal,
): Promise<void> {
  const present = vmi?.metadata?.finalizers ?? [];
  if (vmi === undefined || !isFinal(vmi) || !isDeleting(vmi) || !present.includes(finalizers.vm)) return;
  const key = { namespace: vmi.metadata?.namespace, name: vmi.metadata?.name ?? '' };
  const kept = present.filter((f) => f !== finalizers.vm);
  const body = guardedChange('/metadata/finalizers', present, kept);
  await ignoreNotFound(patchGuarded(client, resources.virtualMachineInstances, key, body, signal));
}
