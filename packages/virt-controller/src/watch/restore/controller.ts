/** Restores VMs from snapshots: reads what there is, lets `reconcile` decide, carries it out, reports. */
import type {
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineRestore,
  VirtualMachineSnapshotContent,
  VolumeSnapshot,
} from '@podvisor/api';
import { type Clock, deepEqual, isStatus, messageOf } from '@podvisor/base';
import { type ControllerSteps, type ReconcileResult, type Resource, resources } from '@podvisor/kube';
import { vmRestores, vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import { hibernationClaimName } from '../vm/hibernation-claim.ts';
import { applyRestoreAction, type RestoreApplyContext } from './apply.ts';
import { volumeRestores } from './plan.ts';
import { hasRestoreFailed, planRestore } from './reconcile.ts';
import type { RestoreObservation, RestorePlan, RestoreStep } from './observation.ts';
import { unlock } from './take-back.ts';
import { restoreStatus } from './status.ts';

export interface RestoreControllerOptions extends RestoreApplyContext {
  readonly clock: Clock;
  restore(key: string): VirtualMachineRestore | undefined;
}

interface Named {
  readonly metadata: { readonly name?: string };
}

export class RestoreController implements ControllerSteps<RestoreObservation, RestorePlan> {
  readonly #options: RestoreControllerOptions;

  constructor(options: RestoreControllerOptions) {
    this.#options = options;
  }

  /** Consistent reads: a restore deletes claims and replaces a VM. */
  async observe(key: string, signal: AbortSignal): Promise<RestoreObservation | undefined> {
    const { client, clock } = this.#options;
    const { namespace, name: own = '' } = this.#options.restore(key)?.metadata ?? {};
    const at = (name: string) => ({ namespace, name });
    const restore = await client.find(vmRestores, at(own), signal);
    if (restore === undefined || restore.status?.complete === true || hasRestoreFailed(restore))
      return undefined;
    const snapshot = await client.find(vmSnapshots, at(restore.spec.virtualMachineSnapshotName), signal);
    const contentName = snapshot?.status?.virtualMachineSnapshotContentName;
    const content =
      contentName === undefined ? undefined : await client.find(vmSnapshotContents, at(contentName), signal);
    const target = at(restore.spec.target.name);
    const vm = await client.find(resources.virtualMachines, target, signal);
    return {
      restore,
      snapshot,
      content,
      target: vm,
      vmi: await client.find(resources.virtualMachineInstances, target, signal),
      ...(await this.#volumes(restore, content, vm, signal)),
      nowMs: clock.now(),
    };
  }

  plan(observed: RestoreObservation): RestorePlan {
    return planRestore(observed);
  }

  async apply(
    { actions, requeueAfterMs, retry, step }: RestorePlan,
    observed: RestoreObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { recorder } = this.#options;
    const { restore } = observed;
    try {
      if (retry !== undefined) throw new Error(retry);
      for (const action of actions) await applyRestoreAction(restore, action, this.#options, signal);
    } catch (error) {
      if (!signal.aborted && !isStatus(error, 'Conflict'))
        recorder.event(restore, 'Warning', 'VirtualMachineRestoreError', messageOf(error));
      throw error;
    }
    if (step !== undefined) await this.#report(observed, step, signal);
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  }

  async #report(observed: RestoreObservation, step: RestoreStep, signal: AbortSignal): Promise<void> {
    const { client, clock, recorder } = this.#options;
    const { namespace, name = '' } = observed.restore.metadata ?? {};
    // The actions may have noted something in it.
    const now = (await client.find(vmRestores, { namespace, name }, signal)) ?? observed.restore;
    const status = restoreStatus(now.status ?? {}, step, clock.now());
    if (!deepEqual(status, now.status ?? {}))
      await client.updateStatus(vmRestores, { ...now, status }, {}, signal);
    if (step.kind === 'done') {
      const message = `Successfully completed VirtualMachineRestore ${name}`;
      recorder.event(now, 'Normal', 'VirtualMachineRestoreComplete', message);
    }
    if (step.kind !== 'failed') return;
    recorder.event(now, 'Warning', step.event, step.reason);
    const target = { namespace, name: observed.restore.spec.target.name };
    const vm = await client.find(resources.virtualMachines, target, signal);
    for (const action of unlock({ restore: now, target: vm }))
      await applyRestoreAction(now, action, this.#options, signal);
  }

  async #volumes(
    restore: VirtualMachineRestore,
    content: VirtualMachineSnapshotContent | undefined,
    vm: VirtualMachine | undefined,
    signal: AbortSignal,
  ): Promise<Pick<RestoreObservation, 'claims' | 'taken' | 'waitingClasses' | 'memoryClaim' | 'stateClaim'>> {
    const { client } = this.#options;
    const restores = content === undefined ? [] : volumeRestores(restore, content);
    const find = async <T extends Named>(
      resource: Resource<T>,
      names: readonly string[],
    ): Promise<ReadonlyMap<string, T>> => {
      const key = (name: string) => ({ namespace: restore.metadata?.namespace, name });
      const found = await Promise.all(names.map((name) => client.find(resource, key(name), signal)));
      return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.metadata.name ?? '', one]])));
    };
    const claims: ReadonlyMap<string, PersistentVolumeClaim> = await find(
      resources.persistentVolumeClaims,
      restores.map((one) => one.persistentVolumeClaim),
    );
    const taken: ReadonlyMap<string, VolumeSnapshot> = await find(
      resources.volumeSnapshots,
      restores
        .filter((one) => !claims.has(one.persistentVolumeClaim))
        .map(({ volumeSnapshotName }) => volumeSnapshotName),
    );
    const memory = content?.spec.memoryBackup?.claimName;
    const own = vm === undefined ? undefined : hibernationClaimName(vm);
    const states =
      memory === undefined
        ? new Map<string, PersistentVolumeClaim>()
        : await find(resources.persistentVolumeClaims, own === undefined ? [memory] : [memory, own]);
    const memoryClaim = states.get(memory ?? '');
    const stateClaim = states.get(own ?? '');
    const unbound = [...claims.values(), ...(stateClaim === undefined ? [] : [stateClaim])].filter(
      ({ status }) => status?.phase !== 'Bound',
    );
    const names = new Set(unbound.flatMap(({ spec }) => spec.storageClassName ?? []));
    const classes = await Promise.all(
      [...names].map((name) => client.find(resources.storageClasses, { name }, signal)),
    );
    const waitingClasses = new Set(
      classes.flatMap((one) =>
        one?.volumeBindingMode === 'WaitForFirstConsumer' ? [one.metadata?.name ?? ''] : [],
      ),
    );
    return {
      claims,
      taken,
      waitingClasses,
      ...(memoryClaim === undefined ? {} : { memoryClaim }),
      ...(stateClaim === undefined ? {} : { stateClaim }),
    };
  }
}
