/**
 * Tells the expectations what the caches show, and the configuration and the liveness of nodes what they hear. Which
 * keys are looked at then is said in the table.
 */
import {
  type KubernetesObject,
  labels,
  type OwnerKind,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import type { Informer } from '@podvisor/kube';
import type { ControllerContext } from './context.ts';
import { vmiKeyOf } from './watch/migration/controller.ts';
import { foundController, ownerKinds } from './watch/ownership.ts';

/** Call before the caches start. */
export function observeExpectations({ caches, config, expectations, storage }: ControllerContext): void {
  const { owners, vmis, migrations } = expectations;
  const poolOf = (object: KubernetesObject): string => managerUid(object, ownerKinds.pool, caches.pools);
  const managerOfVmi = (vmi: KubernetesObject): string =>
    managerUid(vmi, ownerKinds.vm, caches.vms) || managerUid(vmi, ownerKinds.replicaSet, caches.replicaSets);
  const follow = <T extends KubernetesObject>(cache: Informer<T>, managerOf: (object: T) => string): void => {
    const deleted = (object: T): void =>
      owners.deletionObserved(managerOf(object), object.metadata?.uid ?? '');
    cache.on({
      add: (object) => owners.creationObserved(managerOf(object)),
      update: (object) => {
        if (object.metadata?.deletionTimestamp !== undefined) deleted(object);
      },
      delete: deleted,
    });
  };
  follow(caches.vms, poolOf);
  follow(storage.clones, poolOf);
  follow(caches.vmis, managerOfVmi);
  for (const sets of [caches.pools, caches.replicaSets])
    sets.on({ delete: ({ metadata }: KubernetesObject) => owners.forget(metadata?.uid ?? '') });
  caches.vmis.on({ delete: ({ metadata }) => vmis.forget(metadata?.uid ?? '') });
  caches.pods.on({
    add: (pod) => {
      vmis.creationObserved(managerUid(pod, ownerKinds.vmi, caches.vmis));
      migrations.creationObserved(pod.metadata.labels?.[labels.migrationJobUID] ?? '');
    },
  });
  const vmiUid = (migration: VirtualMachineInstanceMigration): string =>
    caches.vmis.get(vmiKeyOf(migration))?.metadata?.uid ?? '';
  caches.migrations.on({ add: (migration) => migrations.creationObserved(vmiUid(migration)) });
  const configured = config.observe.bind(config);
  caches.kubeVirts.on({ add: configured, update: configured });
}

/**
 * UID of the manager, if `owners` has it under its name in the object's own namespace; empty otherwise. What an object
 * of another namespace says fulfils nobody's expectation.
 */
function managerUid(object: KubernetesObject, kind: OwnerKind, owners: Informer<KubernetesObject>): string {
  return foundController(object, kind, (key) => owners.get(key))?.metadata?.uid ?? '';
}
