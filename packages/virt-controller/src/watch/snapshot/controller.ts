/** Takes snapshots of VMs: reads their parts, lets `reconcile` decide, and carries it out. */
import type {
  ClusterConfig,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
  VolumeSnapshot,
} from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { type ControllerSteps, type KubeClient, type ReconcileResult, resources } from '@podvisor/kube';
import { vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import type { Recorder } from '../recorder.ts';
import { specOfRevision } from '../vm/revision.ts';
import { applySnapshotAction } from './apply.ts';
import { claimsOf, contentName, type SourceVolume } from './content.ts';
import type { GuestFreezer } from './guest-freezer.ts';
import { memoryClaim } from './memory.ts';
import { planSnapshot } from './reconcile.ts';
import type { SnapshotObservation, SnapshotPlan } from './plan.ts';
import { snapshotClassOf } from './snapshot-class.ts';

export interface SnapshotControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'list' | 'create' | 'patch' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly freezer: GuestFreezer;
  snapshot(key: string): VirtualMachineSnapshot | undefined;
  config(): Pick<ClusterConfig, 'configuration'>;
  /** False when the cluster serves no VolumeSnapshots. */
  volumeSnapshotsServed(): boolean;
}

export class SnapshotController implements ControllerSteps<SnapshotObservation, SnapshotPlan> {
  readonly #options: SnapshotControllerOptions;

  constructor(options: SnapshotControllerOptions) {
    this.#options = options;
  }

  /** Consistent reads: a guest must not be frozen twice, nor a lock be taken for free. */
  async observe(key: string, signal: AbortSignal): Promise<SnapshotObservation | undefined> {
    const { client, clock, volumeSnapshotsServed } = this.#options;
    const { namespace, name = '' } = this.#options.snapshot(key)?.metadata ?? {};
    const snapshot = await client.find(vmSnapshots, { namespace, name }, signal);
    if (snapshot === undefined) return undefined;
    const source = { namespace, name: snapshot.spec.source.name };
    const [vm, vmi, content] = await Promise.all([
      client.find(resources.virtualMachines, source, signal),
      client.find(resources.virtualMachineInstances, source, signal),
      client.find(vmSnapshotContents, { namespace, name: contentName(snapshot) }, signal),
    ]);
    const revision = vmi?.status?.virtualMachineRevisionName;
    const isServed = volumeSnapshotsServed();
    const isOpen =
      isServed &&
      snapshot.metadata?.deletionTimestamp === undefined &&
      !['Succeeded', 'Failed'].includes(snapshot.status?.phase ?? '');
    const isWithMemory = isOpen && vmi !== undefined && content?.spec.memoryBackup !== undefined;
    const claims = content === undefined ? (vm === undefined ? [] : claimsOf(vm)) : claimsIn(content);
    const volumes = isOpen ? await this.#volumes(namespace, claims, signal) : [];
    const [first] = volumes.flatMap(({ claim }) => claim ?? []);
    return {
      snapshot,
      vm,
      vmi,
      content,
      volumes,
      ...(isWithMemory
        ? { memoryClaim: memoryClaim(snapshot, content, vmi, this.#options.config(), first) }
        : {}),
      taken: isOpen && content !== undefined ? await this.#taken(content, signal) : new Map(),
      startedFrom:
        revision === undefined
          ? undefined
          : specOfRevision(
              await client.find(resources.controllerRevisions, { namespace, name: revision }, signal),
            ),
      isServed,
      nowMs: clock.now(),
    };
  }

  plan(observed: SnapshotObservation): SnapshotPlan {
    return planSnapshot(observed);
  }

  async apply(
    { actions, requeueAfterMs }: SnapshotPlan,
    { snapshot }: SnapshotObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    for (const action of actions) await applySnapshotAction(snapshot, action, this.#options, signal);
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  }

  async #volumes(
    namespace: string | undefined,
    claims: ReturnType<typeof claimsOf>,
    signal: AbortSignal,
  ): Promise<readonly SourceVolume[]> {
    const { client } = this.#options;
    const [storageClasses, snapshotClasses] = await Promise.all([
      client.list(resources.storageClasses, {}, signal),
      client.list(resources.volumeSnapshotClasses, {}, signal),
    ]);
    return Promise.all(
      claims.map(async ({ name, claimName }) => {
        const key = { namespace, name: claimName };
        const claim = await client.find(resources.persistentVolumeClaims, key, signal);
        if (claim === undefined) return { name, claim, claimName, snapshotClass: undefined };
        const { storageClassName = '' } = claim.spec;
        const profile =
          storageClassName === ''
            ? undefined
            : await client.find(resources.storageProfiles, { name: storageClassName }, signal);
        const snapshotClass = snapshotClassOf(claim, storageClasses.items, snapshotClasses.items, profile);
        return { name, claim, claimName, snapshotClass };
      }),
    );
  }

  async #taken(
    { metadata, spec }: VirtualMachineSnapshotContent,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, VolumeSnapshot>> {
    const { client } = this.#options;
    const namespace = metadata?.namespace;
    const names = (spec.volumeBackups ?? []).flatMap(({ volumeSnapshotName: name }) => name ?? []);
    const all = await Promise.all(
      names.map((name) => client.find(resources.volumeSnapshots, { namespace, name }, signal)),
    );
    return new Map(all.flatMap((found) => (found === undefined ? [] : [[found.metadata.name ?? '', found]])));
  }
}

function claimsIn({ spec }: VirtualMachineSnapshotContent): ReturnType<typeof claimsOf> {
  return (spec.volumeBackups ?? []).map(({ volumeName, persistentVolumeClaim }) => ({
    name: volumeName,
    claimName: persistentVolumeClaim.metadata?.name ?? '',
  }));
}
