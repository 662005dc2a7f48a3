/** Tells where a VM runs again that was lost with its node. Keys are VMs. */
import { annotations, type VirtualMachine, type VirtualMachineInstance, vmiConditions } from '@podvisor/api';
import {
  type ControllerSteps,
  type KubeClient,
  patchGuarded,
  type ReconcileResult,
  resources,
} from '@podvisor/kube';
import type { Clock } from '@podvisor/base';
import { setCondition } from '../conditions.ts';
import type { Recorder } from '../recorder.ts';
import { guardedPatch } from '../vmi/status.ts';

export interface RestartedOptions {
  readonly client: Pick<KubeClient, 'patch'>;
  readonly recorder: Recorder;
  readonly clock: Pick<Clock, 'now'>;
  vm(key: string): VirtualMachine | undefined;
  vmi(key: string): VirtualMachineInstance | undefined;
}

export interface RestartedView {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance;
  readonly lostWith: string;
}

export class RestartedController implements ControllerSteps<RestartedView, string> {
  readonly #options: RestartedOptions;

  constructor(options: RestartedOptions) {
    this.#options = options;
  }

  observe(key: string): RestartedView | undefined {
    const [vm, vmi] = [this.#options.vm(key), this.#options.vmi(key)];
    const [lostUid, lostWith = ''] = vm?.metadata?.annotations?.[annotations.lostWith]?.split(' ') ?? [];
    if (vm === undefined || vmi === undefined || lostUid === undefined) return undefined;
    // The run that was lost is no other: it counts as running until its end is written.
    if (vmi.metadata?.uid === lostUid || vmi.status?.phase !== 'Running') return undefined;
    return { vm, vmi, lostWith };
  }

  plan({ vmi, lostWith }: RestartedView): string {
    return `restarted on node ${vmi.status?.nodeName}, after it was lost with node ${lostWith}`;
  }

  async apply(message: string, { vm, vmi }: RestartedView, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, recorder, clock } = this.#options;
    const key = { namespace: vm.metadata?.namespace, name: vm.metadata?.name ?? '' };
    const { conditions = [] } = vmi.status ?? {};
    const reason = vmi.status?.nodeName?.replace(/[^A-Za-z0-9]/g, '_') ?? '';
    const told = { type: vmiConditions.restartedOn, status: 'True', reason: `Node_${reason}`, message };
    const patch = guardedPatch(vmi, { conditions: setCondition(conditions, told, clock.now()) });
    await patchGuarded(client, resources.virtualMachineInstances, key, patch, signal);
    const body = { metadata: { annotations: { [annotations.lostWith]: null } } };
    await client.patch(resources.virtualMachines, key, { type: 'merge', body }, signal);
    for (const object of [vm, vmi]) recorder.event(object, 'Normal', 'RestartedOn', message);
    return undefined;
  }
}
