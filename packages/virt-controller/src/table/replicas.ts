/** The rows of replica sets and pools. */
import type { KubernetesObject, LabelSelector } from '@podvisor/api';
import { matchesSelector } from '@podvisor/api';
import { controller, type Informer, keyOf, onChange, type TableController } from '@podvisor/kube';
import { BY_MANAGER, BY_NAMESPACE, managedBy, unmanagedIn } from '../caches/indexes.ts';
import type { ControllerContext } from '../context.ts';
import { controllerOf } from '../watch/ownership.ts';
import { PoolController } from '../watch/pool/controller.ts';
import { ReplicaSetController } from '../watch/replicaset/controller.ts';

type Sets = Informer<KubernetesObject & { readonly spec: { readonly selector: LabelSelector } }>;

export function replicaSetRow(context: ControllerContext): TableController {
  const { replicaSets, vmis } = context.caches;
  return controller({
    name: 'replicaset',
    workers: 3,
    resource: replicaSets,
    wakes: [onChange(vmis, (vmi) => setsOf(vmi, 'VirtualMachineInstanceReplicaSet', replicaSets))],
    steps: new ReplicaSetController({
      ...context,
      expectations: context.expectations.owners,
      replicaSet: (key) => replicaSets.get(key),
      candidates: (set) => claimable(vmis, set),
    }),
  });
}

export function poolRow(context: ControllerContext): TableController {
  const { pools, vms, vmis } = context.caches;
  const { clones } = context.storage;
  const steps = new PoolController({
    ...context,
    expectations: context.expectations.owners,
    random: Math.random,
    pool: (key) => pools.get(key),
    candidates: (set) => claimable(vms, set),
    vm: (key) => vms.get(key),
    vmi: (key) => vmis.get(key),
    copies: (pool) => managedBy(clones, pool),
  });
  pools.on({ delete: (gone) => steps.forget(gone) });
  return controller({
    name: 'pool',
    workers: 3,
    resource: pools,
    wakes: [
      onChange(vms, (vm) => setsOf(vm, 'VirtualMachinePool', pools)),
      onChange(vmis, (vmi) => {
        const vm = vms.get(keyOf(vmi));
        const pool = vm === undefined ? undefined : controllerOf(vm);
        return pool?.kind === 'VirtualMachinePool' ? [`${vm?.metadata?.namespace}/${pool.name}`] : [];
      }),
      onChange(clones, (clone) => {
        const manager = controllerOf(clone);
        return manager?.kind === 'VirtualMachinePool' ? [`${clone.metadata?.namespace}/${manager.name}`] : [];
      }),
    ],
    steps,
  });
}

/** The set that manages an object, or, when nobody does, every set that may adopt it. */
function setsOf({ metadata, ...object }: KubernetesObject, kind: string, sets: Sets): readonly string[] {
  const manager = controllerOf({ ...object, metadata });
  const namespace = metadata?.namespace ?? '';
  if (manager !== undefined) return manager.kind === kind ? [`${namespace}/${manager.name}`] : [];
  return sets
    .byIndex(BY_NAMESPACE, namespace)
    .filter((set) => matchesSelector(set.spec.selector, metadata?.labels))
    .map(keyOf);
}

/** What a set owns, and what nobody does. */
function claimable<T extends KubernetesObject>(informer: Informer<T>, set: KubernetesObject): readonly T[] {
  return [...managedBy(informer, set), ...informer.byIndex(BY_MANAGER, unmanagedIn(set.metadata?.namespace))];
}
