/** The VMI controller: looks at the caches, lets `reconcile` decide, carries it out. */
import { labels, type PersistentVolumeClaim, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { type Clock, deepEqual, isStatus } from '@podvisor/base';
import {
  type ControllerSteps,
  type Expectations,
  keyOf,
  OwnWrites,
  type ReconcileResult,
  resources,
} from '@podvisor/kube';
import type { Recorder } from '../recorder.ts';
import { applyVmiAction, type VmiClient } from './apply.ts';
import { podCreateProblem } from './events.ts';
import { OverTimes } from './over-times.ts';
import type { VmiObservation, VmiPlan } from './plan.ts';
import { reconcileVmi } from './reconcile.ts';
import { conditionsBeforeHandOver } from './status.ts';
import { podNetworksOf } from './pod-networks.ts';
import type { VolumeView } from './volumes.ts';

export interface VmiControllerOptions {
  readonly client: VmiClient;
  readonly recorder: Recorder;
  readonly expectations: Expectations;
  readonly clock: Clock;
  vmi(key: string): VirtualMachineInstance | undefined;
  /** Launcher Pods in the cache that were made for this VMI. */
  pods(vmi: VirtualMachineInstance): readonly Pod[];
  /** We have made the Pod for this VMI. */
  isOwnPod(pod: Pod, vmi: VirtualMachineInstance): boolean;
  /** Attachment Pods in the cache that this Pod owns. */
  attachmentPods(launcher: Pod): readonly Pod[];
  readonly launcherImage: string;
  volumes(namespace: string): VolumeView;
  /** The feature gate is on. */
  containerPathsAllowed(): boolean;
  ownerVmExists(vmi: VirtualMachineInstance): boolean;
  handlerSilent(nodeName: string): boolean;
  renderPod(vmi: VirtualMachineInstance): Pod;
  renderStateClaim(vmi: VirtualMachineInstance): PersistentVolumeClaim;
}

export class VmiController implements ControllerSteps<VmiObservation, VmiPlan> {
  readonly #options: VmiControllerOptions;
  readonly #overTimes: OverTimes;
  readonly #writes = new OwnWrites<VirtualMachineInstance>();
  readonly #podWrites = new OwnWrites<Pod>();

  constructor(options: VmiControllerOptions) {
    this.#options = options;
    this.#overTimes = new OverTimes(options.clock);
  }

  observe(key: string): VmiObservation | undefined {
    const vmi = this.#options.vmi(key);
    if (vmi === undefined) {
      this.#overTimes.forget(key);
      this.#writes.forget(key);
      return undefined;
    }
    const pods = this.#options.pods(vmi);
    // The event of what we wrote wakes the key again.
    if (this.#writes.isBehind(vmi) || pods.some((pod) => this.#podWrites.isBehind(pod))) return undefined;
    return this.#observe(key, vmi, pods);
  }

  /** The Pod is gone. */
  forgetPod(pod: Pod): void {
    this.#podWrites.forget(keyOf(pod));
  }

  plan(observed: VmiObservation): VmiPlan {
    return reconcileVmi(observed);
  }

  async prove(
    observed: VmiObservation,
    plan: VmiPlan,
    signal: AbortSignal,
  ): Promise<VmiObservation | undefined> {
    if (!plan.needsProof) return undefined;
    return { ...observed, pods: await this.#readPods(observed.vmi, signal), podsProven: true };
  }

  async apply(plan: VmiPlan, observed: VmiObservation, signal: AbortSignal): Promise<ReconcileResult> {
    const { vmi } = observed;
    const context = {
      ...this.#options,
      nowMs: observed.nowMs,
      wrote: (after: VirtualMachineInstance) => this.#writes.wrote(vmi, after),
      wrotePod: (before: Pod, after: Pod) => this.#podWrites.wrote(before, after),
    };
    for (const action of plan.actions) {
      try {
        await applyVmiAction(vmi, action, context, signal);
      } catch (error) {
        if (action.kind === 'createPod' || action.kind === 'createProvisioningPod')
          await this.#reportCreateFailure(vmi, error, signal);
        throw error;
      }
    }
    return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
  }

  #observe(key: string, vmi: VirtualMachineInstance, pods: readonly Pod[]): VmiObservation {
    const { attachmentPods, expectations, volumes, ownerVmExists, handlerSilent, clock, renderPod } =
      this.#options;
    const nodeName = vmi.status?.nodeName;
    const podNetworks = podNetworksOf(vmi, pods, renderPod);
    return {
      vmi,
      pods,
      ...(podNetworks === undefined ? {} : { podNetworks }),
      attachmentPods: pods.flatMap((pod) => attachmentPods(pod)),
      podsProven: false,
      cacheCaughtUp: expectations.satisfied(vmi.metadata?.uid ?? ''),
      volumes: volumes(vmi.metadata?.namespace ?? ''),
      containerPathsAllowed: this.#options.containerPathsAllowed(),
      ownerVmExists: ownerVmExists(vmi),
      handlerSilent: nodeName !== undefined && handlerSilent(nodeName),
      overForMs: this.#overTimes.overForMs(key, vmi),
      nowMs: clock.now(),
    };
  }

  /** A list without a resourceVersion is answered from the newest state, not from a cache. */
  async #readPods(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<readonly Pod[]> {
    const namespace = vmi.metadata?.namespace;
    const labelSelector = `${labels.createdBy}=${vmi.metadata?.uid}`;
    const { items } = await this.#options.client.list(resources.pods, { namespace, labelSelector }, signal);
    return items.filter((pod) => this.#options.isOwnPod(pod, vmi));
  }

  async #reportCreateFailure(
    vmi: VirtualMachineInstance,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, recorder, clock } = this.#options;
    if (isStatus(error, 'Conflict')) return;
    const { message, event } = podCreateProblem(vmi, error);
    const problem = { reason: 'FailedCreate', message };
    const conditions = conditionsBeforeHandOver(vmi, undefined, problem, clock.now());
    if (deepEqual(conditions, vmi.status?.conditions)) return;
    recorder.event(vmi, ...event);
    const next = { ...vmi, status: { ...vmi.status, conditions } };
    this.#writes.wrote(vmi, await client.update(resources.virtualMachineInstances, next, {}, signal));
  }
}
