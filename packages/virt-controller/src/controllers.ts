/** Builds the controllers on their caches and lets events fill their queues. Only the leader runs this. */
import type {
  ClusterConfig,
  KubernetesObject,
  VirtualMachineInstance,
  VirtualMachineSnapshot,
} from '@podvisor/api';
import { type Clock, messageOf } from '@podvisor/base';
import {
  EventRecorder,
  Expectations,
  type Informer,
  type KubeClient,
  keyOf,
  type Log,
  type QueueMetrics,
  type ReconcileResult,
  runController,
  WorkQueue,
} from '@podvisor/kube';
import {
  attachmentPodsOf,
  BY_MANAGER,
  isOwn,
  managedBy,
  managerKey,
  ownPodsOf,
  BY_NAMESPACE,
  BY_NODE,
  BY_VMI,
  type CacheClient,
  type Caches,
  createCaches,
  unmanagedIn,
} from './caches.ts';
import { createMoves } from './moves.ts';
import { storageControllers } from './storage-controllers.ts';
import { connectEvents, type Queues } from './queues.ts';
import { connectMoves } from './wake-moves.ts';
import { LiveConfig } from './watch/config.ts';
import { removeLegacyBudgets } from './watch/disruption-budget/legacy.ts';
import { buildStateClaim } from './watch/backend-storage/state-claim.ts';
import { ConfigTeller } from './watch/kubevirt-config.ts';
import { NodeController } from './watch/node/controller.ts';
import { HandlerLiveness } from './watch/node/liveness.ts';
import { runsGuests } from './watch/node/runs-guests.ts';
import { namespaceFacts } from './watch/namespace-facts.ts';
import { controllerOfKind, ownerKinds } from './watch/ownership.ts';
import { PoolController } from './watch/pool/controller.ts';
import { ReplicaSetController } from './watch/replicaset/controller.ts';
import { snapshotClassOf } from './watch/snapshot/snapshot-class.ts';
import { UnavailableTeller } from './watch/unavailable/teller.ts';
import { trackingWish } from './watch/vm/changed-block-tracking.ts';
import { VmController } from './watch/vm/controller.ts';
import { fileSystemOverhead } from './watch/vmi/file-system-overhead.ts';
import { VmiController } from './watch/vmi/controller.ts';
import { buildLauncherPod, type LauncherPodContext } from './watch/vmi/launcher-pod.ts';
import type { VolumeView } from './watch/vmi/volumes.ts';

/** What the controllers use of the API. */
export type ControllerClient = CacheClient &
  Pick<KubeClient, 'find' | 'create' | 'update' | 'updateStatus' | 'patch' | 'delete' | 'raw'>;

export interface ControllersOptions {
  readonly client: ControllerClient;
  /** Where Podvisor is installed. */
  readonly namespace: string;
  readonly launcherImage: string;
  readonly passtSeccompProfile?: string;
  readonly virtiofsSeccompProfile?: string;
  readonly runtimeDefaultSeccomp?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** The configuration changed. */
  onConfig?(config: ClusterConfig): void;
  /** Called once, when all caches are filled and the workers start. */
  onReady?(caches: Caches): void;
  /** Hears of every snapshot. */
  onSnapshots?(informer: Informer<VirtualMachineSnapshot>): void;
  readonly queues?: QueueMetrics;
}

interface Reconciler {
  reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult>;
}

/** Runs all controllers until the signal ends them. */
export async function runControllers(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, log } = options;
  const caches = createCaches(client, options.namespace, log);
  const config = new LiveConfig(log, options.onConfig);
  const recorder = new EventRecorder({ client, component: 'virtualmachine-controller', clock, log });
  const vmExpectations = new Expectations(clock);
  const vmiExpectations = new Expectations(clock);
  const liveness = new HandlerLiveness(clock);
  const queue = (name: string): WorkQueue =>
    new WorkQueue({ clock, observer: options.queues?.observer(`virt-controller-${name}`) });
  const queues: Queues = {
    vm: queue('vm'),
    vmi: queue('vmi'),
    node: queue('node'),
    migration: queue('migration'),
    evacuation: queue('evacuation'),
    workloadUpdate: queue('workloadupdate'),
    replicaSet: queue('replicaset'),
    pool: queue('pool'),
    kubevirt: queue('kubevirt'),
    unavailable: queue('unavailable'),
  };
  const volumes = (namespace: string): VolumeView => ({
    claim: (name) => caches.claims.get(`${namespace}/${name}`),
    ownedClaims: (uid) => caches.claims.byIndex(BY_MANAGER, managerKey(namespace, uid)),
    fileSystemOverhead: (claim) => fileSystemOverhead(claim, caches.cdiConfigs.get('', 'config')),
    dataVolumePhase: (name) => {
      const found = caches.dataVolumes.get(namespace, name);
      return found === undefined ? undefined : (found.status?.phase ?? '');
    },
  });

  const podContext = (owner: VirtualMachineInstance): LauncherPodContext => {
    const { namespace = '' } = owner.metadata ?? {};
    return {
      launcherImage: options.launcherImage,
      passtSeccompProfile: options.passtSeccompProfile,
      virtiofsSeccompProfile: options.virtiofsSeccompProfile,
      runtimeDefaultSeccomp: options.runtimeDefaultSeccomp,
      config: config.current,
      volumes: volumes(namespace),
      namespace: namespaceFacts(
        caches.namespaces.get(namespace),
        caches.quotas.byIndex(BY_NAMESPACE, namespace),
      ),
    };
  };

  const vm = new VmController({
    client,
    recorder,
    expectations: vmExpectations,
    clock,
    random: Math.random,
    vm: (key) => caches.vms.get(key),
    vmi: (key) => caches.vmis.get(key),
    storage: (namespace) => ({
      ...volumes(namespace),
      dataVolumesServed: caches.dataVolumes.served,
      dataVolume: (name) => caches.dataVolumes.get(namespace, name),
      claim: (name) => caches.claims.get(`${namespace}/${name}`),
      snapshotClass: (claim) =>
        snapshotClassOf(claim, caches.storageClasses.list(), caches.snapshotClasses.list()),
    }),
    migrationsOf: (key) => caches.migrations.byIndex(BY_VMI, key),
    hasOtherNode: (name) =>
      caches.nodes.list().some((found) => runsGuests(found) && found.metadata.name !== name),
    liveUpdate: () => config.current.vmRolloutStrategy === 'LiveUpdate',
    tracking: (found) =>
      trackingWish(
        found,
        config.current,
        caches.namespaces.get(found.metadata?.namespace ?? '')?.metadata?.labels,
      ),
    referencePolicy: () => config.current.instancetypeReferencePolicy,
  });
  const vmi = new VmiController({
    client,
    recorder,
    expectations: vmiExpectations,
    clock,
    vmi: (key) => caches.vmis.get(key),
    pods: (owner) => ownPodsOf(caches, owner),
    isOwnPod: (pod, owner) => isOwn(caches, pod, owner),
    attachmentPods: (launcher) => attachmentPodsOf(caches, launcher),
    launcherImage: options.launcherImage,
    volumes,
    ownerVmExists: (owned) => ownerVmExists(owned, caches),
    handlerSilent: (nodeName) => liveness.isSilent(nodeName),
    renderPod: (owner) => buildLauncherPod(owner, podContext(owner)),
    renderStateClaim: (owner) => buildStateClaim(owner, config.current),
  });
  const node = new NodeController({
    client,
    recorder,
    liveness,
    recheckVmisOn: (name) =>
      caches.vmis.byIndex(BY_NODE, name).forEach((found) => queues.vmi.add(keyOf(found))),
  });
  const moveExpectations = new Expectations(clock);
  const moves = createMoves({
    ...options,
    recorder,
    caches,
    queues,
    config,
    expectations: moveExpectations,
    volumes,
    podContext,
  });

  const replicaSet = new ReplicaSetController({
    client,
    recorder,
    expectations: vmExpectations,
    clock,
    replicaSet: (key) => caches.replicaSets.get(key),
    candidates: (set) => claimable(caches.vmis, set),
  });
  const pool = new PoolController({
    client,
    recorder,
    expectations: vmExpectations,
    clock,
    random: Math.random,
    pool: (key) => caches.pools.get(key),
    candidates: (set) => claimable(caches.vms, set),
    vm: (key) => caches.vms.get(key),
    vmi: (key) => caches.vmis.get(key),
  });

  const kubevirt = new ConfigTeller({
    client,
    recorder,
    clock,
    kubevirt: (key) => caches.kubeVirts.get(key),
  });
  const unavailable = new UnavailableTeller({ client, recorder, clock, log, queue: queues.unavailable });

  caches.pools.on({ delete: (gone) => pool.forget(gone) });
  connectMoves(caches, { queues, moves, expectations: moveExpectations });
  connectEvents(caches, { queues, vmExpectations, vmiExpectations, config, liveness });
  const storage = storageControllers({ ...options, caches, recorder });
  for (const cache of Object.values(caches)) cache.start(signal);
  await Promise.all(Object.values(caches).map((cache) => cache.synced()));
  unavailable.start(signal);
  removeLegacyBudgets(client, signal).catch((error: unknown) =>
    log.warn({ error: messageOf(error) }, 'budgets of an old installation could not be removed'),
  );
  options.onReady?.(caches);

  const run = (name: keyof Queues, workers: number, controller: Reconciler): Promise<void> =>
    runController(
      {
        name,
        queue: queues[name],
        workers,
        log,
        reconcile: (key, inner) => controller.reconcile(key, inner),
      },
      signal,
    );
  await Promise.all([
    run('vm', 10, vm),
    run('vmi', 20, vmi),
    run('node', 2, node),
    run('migration', 2, moves.migration),
    run('evacuation', 1, moves.evacuation),
    run('workloadUpdate', 1, moves.workloadUpdate),
    run('replicaSet', 3, replicaSet),
    run('pool', 3, pool),
    run('kubevirt', 1, kubevirt),
    run('unavailable', 2, unavailable),
    storage(signal),
  ]);
  await recorder.flush();
}

/** What a set owns, and what nobody does. */
function claimable<T extends KubernetesObject>(informer: Informer<T>, set: KubernetesObject): readonly T[] {
  return [...managedBy(informer, set), ...informer.byIndex(BY_MANAGER, unmanagedIn(set.metadata?.namespace))];
}

/** By UID: another VM under the same name does not count. */
function ownerVmExists(vmi: VirtualMachineInstance, caches: Caches): boolean {
  const owner = controllerOfKind(vmi, ownerKinds.vm);
  if (owner === undefined) return false;
  return caches.vms.get(`${vmi.metadata?.namespace}/${owner.name}`)?.metadata?.uid === owner.uid;
}
