/**
 * The controllers of snapshots, restores, clones, exports and backups, with caches and queues of their own: nobody else looks at these
 * kinds, and a cluster may not serve them.
 */
import { type KubernetesObject, labels, type VirtualMachineSnapshot } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import {
  Informer,
  type KubeClient,
  keyOf,
  type Log,
  type ReconcileResult,
  type Resource,
  resources,
  runController,
  WorkQueue,
} from '@podvisor/kube';
import { BY_CLAIM, type CacheClient, type Caches } from './caches.ts';
import { OptionalCache } from './optional-cache.ts';
import {
  vmBackups,
  vmBackupTrackers,
  vmClones,
  vmExports,
  vmRestores,
  vmSnapshotContents,
  vmSnapshots,
} from './resources.ts';
import { BackupController } from './watch/backup/controller.ts';
import { backupCalls } from './watch/backup/node-calls.ts';
import { TrackerController } from './watch/backup/tracker-controller.ts';
import { CloneController } from './watch/clone/controller.ts';
import { ExportController } from './watch/export/controller.ts';
import { EXPORT_LABEL } from './watch/export/plan.ts';
import { controllerOf } from './watch/ownership.ts';
import type { Recorder } from './watch/recorder.ts';
import { RestoreController } from './watch/restore/controller.ts';
import { RESTORE_NAME } from './watch/restore/plan.ts';
import { ContentController } from './watch/snapshot/content-controller.ts';
import { SnapshotController } from './watch/snapshot/controller.ts';
import { guestFreezer } from './watch/snapshot/guest-freezer.ts';
import { isTerminal } from './watch/backup/status.ts';
import { isFinal } from './watch/vmi-phase.ts';

export interface StorageControllersOptions {
  readonly client: CacheClient &
    Pick<KubeClient, 'find' | 'create' | 'update' | 'updateStatus' | 'patch' | 'delete' | 'raw'>;
  readonly caches: Pick<Caches, 'vms' | 'vmis' | 'claims'>;
  readonly launcherImage: string;
  readonly recorder: Recorder;
  /** Hears of every snapshot. */
  onSnapshots?(informer: Informer<VirtualMachineSnapshot>): void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Reconciler {
  reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult>;
}

/** Call before the shared caches start; the result runs the controllers until the signal ends them. */
export function storageControllers(
  options: StorageControllersOptions,
): (signal: AbortSignal) => Promise<unknown> {
  const { client, clock, log, recorder, caches } = options;
  const follow = <T extends KubernetesObject>(resource: Resource<T>) => {
    const queue = new WorkQueue({ clock });
    const informer = new Informer({ client, log, resource });
    const changed = (object: T): void => queue.add(keyOf(object));
    informer.on({ add: changed, update: changed, delete: changed });
    return { queue, informer };
  };
  const snapshots = follow(vmSnapshots);
  options.onSnapshots?.(snapshots.informer);
  const contents = follow(vmSnapshotContents);
  const restores = follow(vmRestores);
  const clones = follow(vmClones);
  const exports = follow(vmExports);
  const backups = follow(vmBackups);
  const trackers = follow(vmBackupTrackers);
  const exportPods = new Informer({
    client,
    log,
    resource: resources.pods,
    labelSelector: `${labels.app}=${EXPORT_LABEL}`,
  });
  const volumeSnapshots = new OptionalCache(client, log, resources.volumeSnapshots);

  const wake = {
    contents: (object: KubernetesObject): void => {
      const name = contents.informer.get(keyOf(object))?.spec.virtualMachineSnapshotName;
      if (name !== undefined) snapshots.queue.add(`${object.metadata?.namespace}/${name}`);
    },
    owner: (object: KubernetesObject): void => {
      const owner = controllerOf(object);
      if (owner?.kind === 'VirtualMachineExport')
        exports.queue.add(`${object.metadata?.namespace}/${owner.name}`);
      if (owner?.kind === 'VirtualMachineClone')
        clones.queue.add(`${object.metadata?.namespace}/${owner.name}`);
    },
    /** Everything unfinished about a VM of this name. */
    vm: ({ metadata }: KubernetesObject): void => {
      const concerns = (object: KubernetesObject, name: string): boolean =>
        object.metadata?.namespace === metadata?.namespace && name === metadata?.name;
      for (const object of snapshots.informer.list())
        if (concerns(object, object.spec.source.name) && object.status?.phase !== 'Succeeded')
          snapshots.queue.add(keyOf(object));
      for (const object of trackers.informer.list())
        if (concerns(object, object.spec.source.name)) trackers.queue.add(keyOf(object));
      wakeBackups(metadata?.namespace);
      for (const object of restores.informer.list())
        if (concerns(object, object.spec.target.name) && object.status?.complete !== true)
          restores.queue.add(keyOf(object));
    },
  };
  /** Unfinished backups of a namespace: there are few, and each knows what it waits for. */
  const wakeBackups = (namespace: string | undefined): void => {
    for (const backup of backups.informer.list())
      if (backup.metadata?.namespace === namespace && !isTerminal(backup)) backups.queue.add(keyOf(backup));
  };
  const ofBackup = ({ metadata }: KubernetesObject): void => wakeBackups(metadata?.namespace);
  trackers.informer.on({ add: ofBackup, update: ofBackup });
  exports.informer.on({ update: ofBackup, delete: ofBackup });
  backups.informer.on({
    update: ({ metadata }) => exports.queue.add(`${metadata?.namespace}/${metadata?.name}`),
  });
  caches.vmis.on({ add: ofBackup, update: ofBackup, delete: ofBackup });
  caches.claims.on({ add: ofBackup });
  volumeSnapshots.on((taken) => {
    const owner = controllerOf(taken);
    const { namespace } = taken.metadata;
    if (owner?.kind === 'VirtualMachineSnapshotContent')
      wake.contents({ metadata: { namespace, name: owner.name } });
  });
  contents.informer.on({
    update: wake.contents,
    delete: (gone) => wakeSnapshot(gone.metadata?.namespace, gone.spec),
  });
  const wakeSnapshot = (namespace: string | undefined, spec: { virtualMachineSnapshotName?: string }): void =>
    snapshots.queue.add(`${namespace}/${spec.virtualMachineSnapshotName}`);
  snapshots.informer.on({
    update: (snapshot) => {
      wake.owner(snapshot);
      for (const restore of restores.informer.list())
        if (
          restore.spec.virtualMachineSnapshotName === snapshot.metadata?.name &&
          restore.status?.complete !== true
        )
          restores.queue.add(keyOf(restore));
      for (const clone of clones.informer.list())
        if (clone.spec.source.name === snapshot.metadata?.name) clones.queue.add(keyOf(clone));
    },
  });
  restores.informer.on({ update: wake.owner });
  exportPods.on({ add: wake.owner, update: wake.owner, delete: wake.owner });
  const wakeExports = ({ metadata }: KubernetesObject): void => {
    for (const one of exports.informer.list())
      if (one.metadata?.namespace === metadata?.namespace && one.status?.phase !== 'Ready')
        exports.queue.add(keyOf(one));
  };
  snapshots.informer.on({ update: wakeExports });
  caches.vmis.on({ delete: wakeExports });
  caches.claims.on({ update: wakeExports });
  caches.vms.on({ add: wake.vm, update: wake.vm, delete: wake.vm });
  caches.vmis.on({ delete: wake.vm });
  const ofRestore = (claim: KubernetesObject): void => {
    const name = claim.metadata?.annotations?.[RESTORE_NAME];
    if (name !== undefined) restores.queue.add(`${claim.metadata?.namespace}/${name}`);
    // A claim that had to go, or to be bound, may have been waited for.
    else wakeUnfinished(claim.metadata?.namespace);
  };
  const wakeUnfinished = (namespace: string | undefined): void => {
    for (const restore of restores.informer.list())
      if (restore.metadata?.namespace === namespace && restore.status?.complete !== true)
        restores.queue.add(keyOf(restore));
  };
  caches.claims.on({ update: ofRestore, delete: ofRestore });

  const common = { client, recorder, clock };
  const controllers: readonly (readonly [string, WorkQueue, number, Reconciler])[] = [
    [
      'snapshot',
      snapshots.queue,
      6,
      new SnapshotController({
        ...common,
        freezer: guestFreezer(client),
        snapshot: (key) => snapshots.informer.get(key),
        volumeSnapshotsServed: () => volumeSnapshots.served,
      }),
    ],
    [
      'snapshot-content',
      contents.queue,
      2,
      new ContentController({ client, content: (key) => contents.informer.get(key) }),
    ],
    [
      'restore',
      restores.queue,
      3,
      new RestoreController({ ...common, restore: (key) => restores.informer.get(key) }),
    ],
    [
      'export',
      exports.queue,
      3,
      new ExportController({
        ...common,
        image: options.launcherImage,
        export: (key) => exports.informer.get(key),
        usersOf: (claim) =>
          caches.vmis.byIndex(BY_CLAIM, claim).flatMap((vmi) => (isFinal(vmi) ? [] : [keyOf(vmi)])),
      }),
    ],
    [
      'backup',
      backups.queue,
      6,
      new BackupController({
        ...common,
        calls: backupCalls(client),
        backup: (key) => backups.informer.get(key),
        vm: (key) => caches.vms.get(key),
        claim: (key) => caches.claims.get(key),
      }),
    ],
    [
      'backup-tracker',
      trackers.queue,
      2,
      new TrackerController({
        client,
        recorder,
        tracker: (key) => trackers.informer.get(key),
        vm: (key) => caches.vms.get(key),
      }),
    ],
    ['clone', clones.queue, 3, new CloneController({ ...common, clone: (key) => clones.informer.get(key) })],
  ];
  return async (signal) => {
    for (const { informer } of [snapshots, contents, restores, clones, exports, backups, trackers])
      informer.start(signal);
    exportPods.start(signal);
    volumeSnapshots.start(signal);
    await volumeSnapshots.synced();
    await Promise.all(
      controllers.map(([name, queue, workers, controller]) =>
        runController(
          { name, queue, workers, log, reconcile: (key, inner) => controller.reconcile(key, inner) },
          signal,
        ),
      ),
    );
  };
}
