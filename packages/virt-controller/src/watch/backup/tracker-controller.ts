/**
 * A tracker whose VM is no longer tracked has a checkpoint that means nothing: what the guest writes from then on is
 * in no bitmap. It is forgotten, and the next backup is a full one.
 */
import type { VirtualMachine, VirtualMachineBackupTracker } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type KubeClient, type ControllerSteps } from '@podvisor/kube';
import { vmBackupTrackers } from '../../resources.ts';
import type { Recorder } from '../recorder.ts';

export interface TrackerControllerOptions {
  readonly client: Pick<KubeClient, 'patch'>;
  readonly recorder: Recorder;
  tracker(key: string): VirtualMachineBackupTracker | undefined;
  vm(key: string): VirtualMachine | undefined;
}

/** States in which a guest runs, or will run, without tracking. */
const UNTRACKED: ReadonlySet<string> = new Set(['Disabled', 'IncrementalBackupFeatureGateDisabled']);

interface Observation {
  readonly tracker: VirtualMachineBackupTracker;
  readonly vm: VirtualMachine | undefined;
}

/** The checkpoint to forget. */
interface Plan {
  readonly checkpoint: string | undefined;
}

export class TrackerController implements ControllerSteps<Observation, Plan> {
  readonly #options: TrackerControllerOptions;

  constructor(options: TrackerControllerOptions) {
    this.#options = options;
  }

  observe(key: string): Observation | undefined {
    const tracker = this.#options.tracker(key);
    if (tracker === undefined) return undefined;
    return { tracker, vm: this.#options.vm(`${tracker.metadata?.namespace}/${tracker.spec.source.name}`) };
  }

  /** A VM that is gone may come back from a backup; its claims then tell that they are others. */
  plan({ tracker, vm }: Observation): Plan {
    const isUntracked = UNTRACKED.has(vm?.status?.changedBlockTracking?.state ?? '');
    return { checkpoint: isUntracked ? tracker.status?.latestCheckpoint?.name : undefined };
  }

  async apply({ checkpoint }: Plan, { tracker }: Observation, signal: AbortSignal): Promise<void> {
    const { client, recorder } = this.#options;
    const { namespace, name = '', uid } = tracker.metadata ?? {};
    if (checkpoint === undefined) return;
    const status = { latestCheckpoint: null, checkpointRedefinitionRequired: null };
    const patch = { type: 'merge', subresource: 'status', body: { metadata: { uid }, status } } as const;
    try {
      await client.patch(vmBackupTrackers, { namespace, name }, patch, signal);
    } catch (error) {
      if (isStatus(error, 'NotFound')) return;
      throw error;
    }
    recorder.event(
      tracker,
      'Warning',
      'CheckpointCleared',
      `Changed blocks of ${tracker.spec.source.name} are no longer tracked: checkpoint ${checkpoint} is forgotten, next backup will be full.`,
    );
  }
}
