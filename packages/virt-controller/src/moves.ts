/** Builds the controllers that move guests between nodes, on the caches: migration, evacuation, workload updates. */
import { annotations, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { type Clock, Amount, parseQuantity } from '@podvisor/base';
import { type Expectations, keyOf } from '@podvisor/kube';
import { attachmentPodsOf, BY_NODE, BY_VMI, type Caches, isOwn, ownPodsOf } from './caches.ts';
import type { Queues } from './queues.ts';
import { buildTargetStateClaim } from './watch/backend-storage/hand-over.ts';
import type { LiveConfig } from './watch/config.ts';
import { EvacuationController } from './watch/evacuation/controller.ts';
import type { MigrationClient } from './watch/migration/apply.ts';
import { MigrationController } from './watch/migration/controller.ts';
import { frozenConfiguration, policyFor } from './watch/migration/policy.ts';
import { buildTargetPod } from './watch/migration/target-pod.ts';
import type { HandOff } from './watch/migration/vmi-patches.ts';
import type { Recorder } from './watch/recorder.ts';
import type { LauncherPodContext } from './watch/vmi/launcher-pod.ts';
import { isPodFinal } from './watch/vmi/pod-state.ts';
import type { VolumeView } from './watch/vmi/volumes.ts';
import { WorkloadUpdateController } from './watch/workload-update/controller.ts';

export interface MovesOptions {
  readonly client: MigrationClient;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly caches: Caches;
  readonly queues: Queues;
  readonly config: LiveConfig;
  readonly launcherImage: string;
  /** By migration UID: target Pods; by VMI UID: migrations asked for. */
  readonly expectations: Expectations;
  /** Claims and DataVolumes of a namespace. */
  volumes(namespace: string): VolumeView;
  /** What a launcher Pod of this VMI is rendered from. */
  podContext(vmi: VirtualMachineInstance): LauncherPodContext;
}

export interface Moves {
  readonly migration: MigrationController;
  readonly evacuation: EvacuationController;
  readonly workloadUpdate: WorkloadUpdateController;
}

export function createMoves(options: MovesOptions): Moves {
  const { caches, config, queues } = options;
  const migrationsOf = (key: string) => caches.migrations.byIndex(BY_VMI, key);
  const pods = (vmi: VirtualMachineInstance): readonly Pod[] => ownPodsOf(caches, vmi);
  const attachmentPods = (launcher: Pod): readonly Pod[] => attachmentPodsOf(caches, launcher);
  const shared = {
    ...options,
    config: () => config.current,
    migrations: () => caches.migrations.list(),
    pods,
    isOwnPod: (pod: Pod, vmi: VirtualMachineInstance) => isOwn(caches, pod, vmi),
  };
  const migration = new MigrationController({
    ...shared,
    migration: (key) => caches.migrations.get(key),
    migrationsOf,
    attachmentPods,
    vmi: (key) => caches.vmis.get(key),
    limits: () => config.current.migrations,
    handOff: (vmi, target) => handOffOf(vmi, target, options),
    renderTarget: (object, vmi) =>
      buildTargetPod(object, vmi, {
        ...options.podContext(vmi),
        sourceNode: caches.nodes.get(vmi.status?.nodeName ?? ''),
        sourcePod: pods(vmi).find((pod) => pod.spec.nodeName === vmi.status?.nodeName && !isPodFinal(pod)),
      }),
    renderTargetState: (object, vmi) =>
      buildTargetStateClaim(object, vmi, options.volumes(vmi.metadata?.namespace ?? ''), config.current),
    wake: (key) => queues.migration.add(key),
  });
  const ofVmi = (vmi: VirtualMachineInstance) => migrationsOf(keyOf(vmi));
  const evacuation = new EvacuationController({
    ...shared,
    node: (name) => caches.nodes.get(name),
    vmisOn: (name) => caches.vmis.byIndex(BY_NODE, name),
    migrationsOf: ofVmi,
  });
  const workloadUpdate = new WorkloadUpdateController({
    ...shared,
    kubevirt: (key) => caches.kubeVirts.get(key),
    vmis: () => caches.vmis.list(),
    migrationsOf: ofVmi,
  });
  return { migration, evacuation, workloadUpdate };
}

function handOffOf(
  vmi: VirtualMachineInstance,
  target: Pod | undefined,
  { caches, config }: MovesOptions,
): HandOff {
  const namespace = caches.namespaces.get(vmi.metadata?.namespace ?? '');
  const policy = policyFor(vmi, namespace?.metadata?.labels ?? {}, caches.migrationPolicies.list());
  const overhead = target?.metadata.annotations?.[annotations.memoryOverheadBytes];
  return {
    configuration: frozenConfiguration(config.current.migrations, policy),
    policyName: policy?.metadata?.name,
    memoryOverhead:
      overhead === undefined ? undefined : Amount.ofBytes(parseQuantity(overhead).value()).toString(),
  };
}
