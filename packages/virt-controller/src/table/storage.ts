/**
 * The rows of snapshots, restores, clones, exports and backups. Each finds what waits for an object by an index of its
 * own kind, which holds unfinished work only.
 */
import {
  type KubernetesObject,
  memorySnapshotVolume,
  type OwnerReference,
  type PersistentVolumeClaim,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { controller, keyOf, onChange, type TableController } from '@podvisor/kube';
import { BY_CLAIM } from '../caches/indexes.ts';
import type { ControllerContext } from '../context.ts';
import { BackupController } from '../watch/backup/controller.ts';
import { backupCalls } from '../watch/backup/node-calls.ts';
import { isTerminal } from '../watch/backup/status.ts';
import { TrackerController } from '../watch/backup/tracker-controller.ts';
import { CloneController } from '../watch/clone/controller.ts';
import { ExportController } from '../watch/export/controller.ts';
import { controllerOf } from '../watch/ownership.ts';
import { RestoreController } from '../watch/restore/controller.ts';
import { RESTORE_NAME } from '../watch/restore/plan.ts';
import { ContentController, pendingCopyOf } from '../watch/snapshot/content-controller.ts';
import { SnapshotController } from '../watch/snapshot/controller.ts';
import { guestFreezer } from '../watch/snapshot/guest-freezer.ts';
import { isFinal } from '../watch/vmi-phase.ts';

/** Index names: unfinished work about a VM, about a snapshot, and in a namespace. */
const BY_VM = 'vm';
const BY_SNAPSHOT = 'snapshot';
const OPEN_IN = 'openIn';
/** Claims that are still to be made as copies of another one. */
const BY_SOURCE = 'source';

const inNamespaceOf = ({ metadata }: KubernetesObject, name: string | undefined): string =>
  `${metadata?.namespace}/${name}`;
const namespaceOf = ({ metadata }: KubernetesObject): string => metadata?.namespace ?? '';

/** The key of the object of this kind that manages `object`. */
function managerOf(object: KubernetesObject, kind: string): readonly string[] {
  const owner: OwnerReference | undefined = controllerOf(object);
  return owner?.kind === kind ? [inNamespaceOf(object, owner.name)] : [];
}

const hasMemorySnapshot = ({ spec, status }: VirtualMachineInstance): boolean =>
  (status?.memorySnapshot ?? memorySnapshotVolume(spec)) !== undefined;

export function snapshotRow(context: ControllerContext): TableController {
  const { caches, storage } = context;
  const { contents, snapshots, volumeSnapshots } = storage;
  const ofVm = (vm: KubernetesObject): readonly string[] => snapshots.byIndex(BY_VM, keyOf(vm)).map(keyOf);
  return controller({
    name: 'snapshot',
    workers: 6,
    resource: snapshots,
    indexes: {
      [BY_VM]: (object) =>
        object.status?.phase === 'Succeeded' ? [] : [inNamespaceOf(object, object.spec.source.name)],
    },
    wakes: [
      onChange(contents, (content) => [inNamespaceOf(content, content.spec.virtualMachineSnapshotName)]),
      onChange(volumeSnapshots, (taken) =>
        managerOf(taken, 'VirtualMachineSnapshotContent').flatMap((key) => {
          const name = contents.get(key)?.spec.virtualMachineSnapshotName;
          return name === undefined ? [] : [inNamespaceOf(taken, name)];
        }),
      ),
      onChange(caches.vms, ofVm),
      onChange(caches.vmis, ofVm, ['delete']),
      // How far the memory is.
      onChange(caches.vmis, (vmi) => (hasMemorySnapshot(vmi) ? ofVm(vmi) : []), ['update']),
    ],
    steps: new SnapshotController({
      ...context,
      freezer: guestFreezer(context.client),
      config: () => context.config.current,
      snapshot: (key) => snapshots.get(key),
      volumeSnapshotsServed: () => volumeSnapshots.served,
    }),
  });
}

export function contentRow(context: ControllerContext): TableController {
  const { caches, storage } = context;
  const { contents } = storage;
  const sourceOf = (claim: PersistentVolumeClaim): readonly string[] => {
    const name = pendingCopyOf(claim);
    return name === undefined ? [] : [inNamespaceOf(claim, name)];
  };
  caches.claims.addIndexers({ [BY_SOURCE]: sourceOf });
  return controller({
    name: 'snapshot-content',
    workers: 2,
    resource: contents,
    indexes: {
      [BY_CLAIM]: (content) =>
        content.metadata?.deletionTimestamp === undefined
          ? []
          : [inNamespaceOf(content, content.spec.memoryBackup?.claimName)],
    },
    wakes: [
      // A copy of its memory that was waited for is made, or goes.
      onChange(
        caches.claims,
        (claim) => {
          const source = claim.spec.dataSource?.name;
          return source === undefined
            ? []
            : contents.byIndex(BY_CLAIM, inNamespaceOf(claim, source)).map(keyOf);
        },
        ['update', 'delete'],
      ),
    ],
    steps: new ContentController({
      ...context,
      content: (key) => contents.get(key),
      memoryCopies: (content) =>
        caches.claims.byIndex(BY_SOURCE, inNamespaceOf(content, content.spec.memoryBackup?.claimName)),
    }),
  });
}

export function restoreRow(context: ControllerContext): TableController {
  const { caches, storage } = context;
  const { restores, snapshots } = storage;
  const ofVm = (vm: KubernetesObject): readonly string[] => restores.byIndex(BY_VM, keyOf(vm)).map(keyOf);
  return controller({
    name: 'restore',
    workers: 3,
    resource: restores,
    indexes: {
      [BY_VM]: (object) =>
        object.status?.complete === true ? [] : [inNamespaceOf(object, object.spec.target.name)],
      [BY_SNAPSHOT]: (object) =>
        object.status?.complete === true
          ? []
          : [inNamespaceOf(object, object.spec.virtualMachineSnapshotName)],
      [OPEN_IN]: (object) => (object.status?.complete === true ? [] : [namespaceOf(object)]),
    },
    wakes: [
      onChange(caches.vms, ofVm),
      onChange(caches.vmis, ofVm, ['delete']),
      onChange(snapshots, (snapshot) => restores.byIndex(BY_SNAPSHOT, keyOf(snapshot)).map(keyOf), [
        'update',
      ]),
      onChange(
        caches.claims,
        (claim) => {
          const name = claim.metadata?.annotations?.[RESTORE_NAME];
          // A claim that had to go, or to be bound, may have been waited for.
          if (name === undefined) return restores.byIndex(OPEN_IN, namespaceOf(claim)).map(keyOf);
          return [inNamespaceOf(claim, name)];
        },
        ['update', 'delete'],
      ),
    ],
    steps: new RestoreController({ ...context, restore: (key) => restores.get(key) }),
  });
}

export function cloneRow(context: ControllerContext): TableController {
  const { caches, storage } = context;
  const { clones, restores, snapshots } = storage;
  const kind = 'VirtualMachineClone';
  return controller({
    name: 'clone',
    workers: 3,
    resource: clones,
    indexes: {
      [BY_VM]: (clone) =>
        clone.spec.source.kind === 'VirtualMachine' ? [inNamespaceOf(clone, clone.spec.source.name)] : [],
      [BY_SNAPSHOT]: (clone) =>
        clone.spec.source.kind === 'VirtualMachine' ? [] : [inNamespaceOf(clone, clone.spec.source.name)],
    },
    wakes: [
      onChange(caches.vms, (vm) => clones.byIndex(BY_VM, keyOf(vm)).map(keyOf), ['add']),
      onChange(
        snapshots,
        (snapshot) => [
          ...managerOf(snapshot, kind),
          ...clones.byIndex(BY_SNAPSHOT, keyOf(snapshot)).map(keyOf),
        ],
        ['update'],
      ),
      onChange(restores, (restore) => managerOf(restore, kind), ['update']),
    ],
    steps: new CloneController({ ...context, clone: (key) => clones.get(key) }),
  });
}

export function exportRow(context: ControllerContext): TableController {
  const { caches, storage } = context;
  const { backups, exportPods, exports, snapshots } = storage;
  const waiting = (object: KubernetesObject): readonly string[] =>
    exports.byIndex(OPEN_IN, namespaceOf(object)).map(keyOf);
  return controller({
    name: 'export',
    workers: 3,
    resource: exports,
    indexes: { [OPEN_IN]: (object) => (object.status?.phase === 'Ready' ? [] : [namespaceOf(object)]) },
    wakes: [
      // The export of a backup has its name.
      onChange(backups, (backup) => [keyOf(backup)], ['update']),
      onChange(exportPods, (pod) => managerOf(pod, 'VirtualMachineExport')),
      onChange(snapshots, waiting, ['update']),
      onChange(caches.vmis, waiting, ['delete']),
      onChange(caches.claims, waiting, ['update']),
    ],
    steps: new ExportController({
      ...context,
      image: context.launcherImage,
      export: (key) => exports.get(key),
      usersOf: (claim) =>
        caches.vmis.byIndex(BY_CLAIM, claim).flatMap((vmi) => (isFinal(vmi) ? [] : [keyOf(vmi)])),
    }),
  });
}

export function backupRow(context: ControllerContext): TableController {
  const { caches, storage } = context;
  const { backups, exports, trackers } = storage;
  /** There are few, and each knows what it waits for. */
  const open = (object: KubernetesObject): readonly string[] =>
    backups.byIndex(OPEN_IN, namespaceOf(object)).map(keyOf);
  return controller({
    name: 'backup',
    workers: 6,
    resource: backups,
    indexes: { [OPEN_IN]: (object) => (isTerminal(object) ? [] : [namespaceOf(object)]) },
    wakes: [
      onChange(trackers, open, ['add', 'update']),
      onChange(exports, open, ['update', 'delete']),
      onChange(caches.vms, open),
      onChange(caches.vmis, open),
      onChange(caches.claims, open, ['add']),
    ],
    steps: new BackupController({
      ...context,
      calls: backupCalls(context.client),
      backup: (key) => backups.get(key),
      vm: (key) => caches.vms.get(key),
      claim: (key) => caches.claims.get(key),
    }),
  });
}

export function trackerRow(context: ControllerContext): TableController {
  const { caches, storage } = context;
  const { trackers } = storage;
  return controller({
    name: 'backup-tracker',
    workers: 2,
    resource: trackers,
    indexes: { [BY_VM]: (tracker) => [inNamespaceOf(tracker, tracker.spec.source.name)] },
    wakes: [onChange(caches.vms, (vm) => trackers.byIndex(BY_VM, keyOf(vm)).map(keyOf))],
    steps: new TrackerController({
      ...context,
      tracker: (key) => trackers.get(key),
      vm: (key) => caches.vms.get(key),
    }),
  });
}
