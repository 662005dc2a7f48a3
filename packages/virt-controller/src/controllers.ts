/** Builds the controllers on their caches and lets events fill their queues. Only the leader runs this. */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { Expectations, EventRecorder, type KubeClient, keyOf, type Log, runController, WorkQueue } from '@podvisor/kube';
import { BY_CLAIM, BY_MANAGER, BY_NODE, type CacheClient, type Caches, createCaches } from './caches.ts';
import { LiveConfig } from './watch/config.ts';
import { NodeController } from './watch/node/controller.ts';
import { HandlerLiveness, nodeOfLease } from './watch/node/liveness.ts';
import { controllerOf } from './watch/ownership.ts';
import { UnavailableMigrations } from './watch/unavailable/migrations.ts';
import { VmController } from './watch/vm/controller.ts';
import { VmiController } from './watch/vmi/controller.ts';
import { buildLauncherPod } from './watch/vmi/launcher-pod.ts';
import type { VolumeView } from './watch/vmi/volumes.ts';

/** What the controllers use of the API. */
export type ControllerClient = CacheClient &
  Pick<KubeClient, 'find' | 'create' | 'update' | 'updateStatus' | 'patch' | 'delete'>;

export interface ControllersOptions {
  readonly client: ControllerClient;
  /** Where Podvisor is installed. */
  readonly namespace: string;
  readonly launcherImage: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called once, when all caches are filled and the workers start. */
  onReady?(caches: Caches): void;
}

/** Runs all controllers until the signal ends them. */
export async function runControllers(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, log } = options;
  const caches = createCaches(client, options.namespace, log);
  const config = new LiveConfig(log);
  const recorder = new EventRecorder({ client, component: 'virtualmachine-controller', clock, log });
  const vmExpectations = new Expectations(clock);
  const vmiExpectations = new Expectations(clock);
  const liveness = new HandlerLiveness(clock);
  const queues = {
    vm: new WorkQueue({ clock }),
    vmi: new WorkQueue({ clock }),
    node: new WorkQueue({ clock }),
    migration: new WorkQueue({ clock }),
  };
  const volumes = (namespace: string): VolumeView => ({
    claim: (name) => caches.claims.get(`${namespace}/${name}`),
    dataVolumePhase: (name) => {
      const found = caches.dataVolumes.get(namespace, name);
      return found === undefined ? undefined : (found.status?.phase ?? '');
    },
  });

  const vm = new VmController({
    client,
    recorder,
    expectations: vmExpectations,
    clock,
    random: Math.random,
    vm: (key) => caches.vms.get(key),
    vmi: (key) => caches.vmis.get(key),
    storage: (namespace) => ({
      dataVolumesServed: caches.dataVolumes.served,
      dataVolume: (name) => caches.dataVolumes.get(namespace, name),
      claim: (name) => caches.claims.get(`${namespace}/${name}`),
    }),
    liveUpdate: () => config.current.vmRolloutStrategy === 'LiveUpdate',
  });
  const vmi = new VmiController({
    client,
    recorder,
    expectations: vmiExpectations,
    clock,
    vmi: (key) => caches.vmis.get(key),
    pods: (owner) => caches.pods.byIndex(BY_MANAGER, owner.metadata?.uid ?? ''),
    volumes,
    ownerVmExists: (owned) => ownerVmExists(owned, caches),
    handlerSilent: (nodeName) => liveness.isSilent(nodeName),
    renderPod: (owner) =>
      buildLauncherPod(owner, {
        launcherImage: options.launcherImage,
        config: config.current,
        volumes: volumes(owner.metadata?.namespace ?? ''),
      }),
  });
  const node = new NodeController({
    client,
    recorder,
    liveness,
    recheckVmisOn: (name) => caches.vmis.byIndex(BY_NODE, name).forEach((found) => queues.vmi.add(keyOf(found))),
  });
  const migration = new UnavailableMigrations({
    client,
    recorder,
    clock,
    migration: (key) => caches.migrations.get(key),
  });

  caches.vms.on({
    add: (object) => queues.vm.add(keyOf(object)),
    update: (object) => queues.vm.add(keyOf(object)),
    // Its VMI may wait for a VM controller that has nothing to say any more.
    delete: (object) => queues.vmi.add(keyOf(object)),
  });
  const vmiChanged = (object: VirtualMachineInstance): void => {
    queues.vmi.add(keyOf(object));
    queues.vm.add(keyOf(object));
  };
  caches.vmis.on({
    add: (object) => {
      vmExpectations.creationObserved(controllerOf(object)?.uid ?? '');
      vmiChanged(object);
    },
    update: (object) => {
      if (object.metadata?.deletionTimestamp !== undefined) observeVmiDeletion(object, vmExpectations);
      vmiChanged(object);
    },
    delete: (object) => {
      observeVmiDeletion(object, vmExpectations);
      vmiExpectations.forget(object.metadata?.uid ?? '');
      vmiChanged(object);
    },
  });
  const podChanged = (pod: Pod): void => {
    const manager = controllerOf(pod);
    if (manager?.kind === 'VirtualMachineInstance') queues.vmi.add(`${pod.metadata.namespace}/${manager.name}`);
  };
  caches.pods.on({
    add: (pod) => {
      vmiExpectations.creationObserved(controllerOf(pod)?.uid ?? '');
      podChanged(pod);
    },
    update: podChanged,
    delete: podChanged,
  });
  const claimChanged = (key: string): void => {
    for (const user of caches.vmis.byIndex(BY_CLAIM, key)) queues.vmi.add(keyOf(user));
    for (const user of caches.vms.byIndex(BY_CLAIM, key)) queues.vm.add(keyOf(user));
  };
  caches.claims.on({
    add: (claim) => claimChanged(keyOf(claim)),
    update: (claim) => claimChanged(keyOf(claim)),
    delete: (claim) => claimChanged(keyOf(claim)),
  });
  caches.dataVolumes.on((dataVolume) => claimChanged(keyOf(dataVolume)));
  caches.kubeVirts.on({ add: (object) => config.observe(object), update: (object) => config.observe(object) });
  caches.migrations.on({
    add: (object) => queues.migration.add(keyOf(object)),
    update: (object) => queues.migration.add(keyOf(object)),
  });
  const leaseChanged = (name: string | undefined, renewTime: string | undefined): void => {
    if (name === undefined) return;
    const known = liveness.leftMs(name) !== undefined;
    liveness.observe(name, renewTime);
    if (!known) queues.node.add(name);
  };
  caches.leases.on({
    add: (lease) => leaseChanged(nodeOfLease(lease), lease.spec?.renewTime),
    update: (lease) => leaseChanged(nodeOfLease(lease), lease.spec?.renewTime),
    delete: (lease) => liveness.forget(nodeOfLease(lease) ?? ''),
  });

  for (const cache of Object.values(caches)) cache.start(signal);
  await Promise.all(Object.values(caches).map((cache) => cache.synced()));
  options.onReady?.(caches);

  const run = (name: keyof typeof queues, workers: number, controller: typeof vm | typeof vmi | typeof node | typeof migration) =>
    runController(
      { name, queue: queues[name], workers, log, reconcile: (key, inner) => controller.reconcile(key, inner) },
      signal,
    );
  await Promise.all([run('vm', 10, vm), run('vmi', 20, vmi), run('node', 2, node), run('migration', 2, migration)]);
  await recorder.flush();
}

function observeVmiDeletion(vmi: VirtualMachineInstance, expectations: Expectations): void {
  expectations.deletionObserved(controllerOf(vmi)?.uid ?? '', vmi.metadata?.uid ?? '');
}

/** By UID: another VM under the same name does not count. */
function ownerVmExists(vmi: VirtualMachineInstance, caches: Caches): boolean {
  const owner = controllerOf(vmi);
  if (owner?.kind !== 'VirtualMachine') return false;
  return caches.vms.get(`${vmi.metadata?.namespace}/${owner.name}`)?.metadata?.uid === owner.uid;
}
