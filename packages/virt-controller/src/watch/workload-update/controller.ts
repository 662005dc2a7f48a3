/** Lets changes reach running guests by moving or evicting them. The key is the KubeVirt object. */
import {
  type ClusterConfig,
  type KubernetesObject,
  type KubeVirt,
  labels,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { type Clock, isStatus, messageOf } from '@podvisor/base';
import {
  defineResource,
  type JsonPatchOperation,
  type KubeClient,
  type ReconcileResult,
  resources,
  patchGuarded,
  entryPath,
  stillHas,
  type ControllerSteps,
} from '@podvisor/kube';
import { type MakeContext, makeMigration } from '../migration/make.ts';
import { isPodDeleting, isPodFinal } from '../vmi/pod-state.ts';
import { planWorkloads, type WorkloadPlan, type WorkloadView } from './plan.ts';

/** Posted to the Pod's subresource of that name. */
const evictions = defineResource<KubernetesObject>('Eviction', 'pods', 'v1');

export interface WorkloadUpdateOptions extends MakeContext {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly launcherImage: string;
  kubevirt(key: string): KubeVirt | undefined;
  vmis(): readonly VirtualMachineInstance[];
  /** Those of the cluster that have not ended. */
  openMigrations(): readonly VirtualMachineInstanceMigration[];
  migrationsOf(vmi: VirtualMachineInstance): readonly VirtualMachineInstanceMigration[];
  pods(vmi: VirtualMachineInstance): readonly Pod[];
  config(): ClusterConfig;
}

/** Changes come in crowds: the next look is at the earliest this much later. */
export const THROTTLE_MS = 5_000;

export class WorkloadUpdateController implements ControllerSteps<WorkloadView, WorkloadPlan> {
  readonly #options: WorkloadUpdateOptions;
  #lastBatchMs: number | undefined;

  constructor(options: WorkloadUpdateOptions) {
    this.#options = options;
  }

  observe(key: string): WorkloadView | undefined {
    const {
      clock,
      config,
      expectations,
      kubevirt: find,
      launcherImage,
      openMigrations,
      migrationsOf,
    } = this.#options;
    const kubevirt = find(key);
    if (kubevirt === undefined) return undefined;
    return {
      kubevirt,
      vmis: this.#options.vmis(),
      launcherImage,
      migrationsOf,
      isAskedFor: ({ metadata }) => !expectations.satisfied(metadata?.uid ?? ''),
      openMigrations: openMigrations().length,
      limits: config().migrations,
      lastBatchMs: this.#lastBatchMs,
      nowMs: clock.now(),
    };
  }

  plan(view: WorkloadView): WorkloadPlan {
    return planWorkloads(view);
  }

  async apply(plan: WorkloadPlan, { kubevirt }: WorkloadView, signal: AbortSignal): Promise<ReconcileResult> {
    const { clock } = this.#options;
    for (const { vmi, outdated } of plan.relabel) await this.#relabel(vmi, outdated, signal);
    await this.#tellCount(kubevirt, plan.outdated, signal);
    for (const request of plan.migrate) await makeMigration(request, this.#options, signal);
    if (plan.evict.length > 0) this.#lastBatchMs = clock.now();
    for (const vmi of plan.evict) await this.#evict(vmi, signal);
    return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
  }

  async #relabel(vmi: VirtualMachineInstance, outdated: boolean, signal: AbortSignal): Promise<void> {
    const path = entryPath('/metadata/labels', labels.outdatedLauncherImage);
    const patch: readonly JsonPatchOperation[] = [
      stillHas('/status/launcherContainerImageVersion', vmi.status?.launcherContainerImageVersion),
      outdated ? { op: 'add', path, value: '' } : { op: 'remove', path },
    ];
    const { namespace, name = '' } = vmi.metadata ?? {};
    const { client } = this.#options;
    await patchGuarded(client, resources.virtualMachineInstances, { namespace, name }, patch, signal);
  }

  async #tellCount({ metadata, status }: KubeVirt, outdated: number, signal: AbortSignal): Promise<void> {
    // None is a count as well: without it clients cannot tell an update that has reached all guests from one that has not begun.
    if (status?.outdatedVirtualMachineInstanceWorkloads === outdated) return;
    const { namespace, name = '' } = metadata ?? {};
    const body = { status: { outdatedVirtualMachineInstanceWorkloads: outdated } };
    const patch = { type: 'merge', subresource: 'status', body } as const;
    await this.#options.client.patch(resources.kubeVirts, { namespace, name }, patch, signal);
  }

  /** As `kubectl drain` would: budgets and eviction strategies have their say. */
  async #evict(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<void> {
    const { client, recorder, pods } = this.#options;
    const pod = pods(vmi).find(
      (one) => one.spec.nodeName === vmi.status?.nodeName && !isPodFinal(one) && !isPodDeleting(one),
    );
    if (pod === undefined) return;
    const { namespace, name } = pod.metadata;
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } };
    try {
      await client.create(evictions, eviction, { subresource: 'eviction' }, signal);
      recorder.event(vmi, 'Normal', 'SuccessfulEvict', `Evicted virtual machine pod ${name} for an update`);
    } catch (error) {
      const message = `virtual machine pod ${name} was not evicted: ${messageOf(error)}`;
      recorder.event(vmi, 'Warning', 'FailedEvict', message);
      if (!isStatus(error, 'TooManyRequests') && !isStatus(error, 'NotFound')) throw error;
    }
  }
}
