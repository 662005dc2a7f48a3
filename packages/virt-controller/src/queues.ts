/** Which event wakes which key. Queues only say "look again": what is to be done is read from the caches. */
import {
  type KubernetesObject,
  type KubeVirt,
  type LabelSelector,
  type Lease,
  matchesSelector,
  type Namespace,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { type Expectations, type Informer, keyOf, type WorkQueue } from '@podvisor/kube';
import { BY_CLAIM, BY_NAMESPACE, type Caches } from './caches.ts';
import type { LiveConfig } from './watch/config.ts';
import { type HandlerLiveness, nodeOfLease } from './watch/node/liveness.ts';
import { controllerOf } from './watch/ownership.ts';

/** One queue for each controller; keys are `namespace/name`, for nodes `name`. */
export interface Queues {
  readonly vm: WorkQueue;
  readonly vmi: WorkQueue;
  readonly node: WorkQueue;
  readonly migration: WorkQueue;
  /** By node. */
  readonly evacuation: WorkQueue;
  /** By KubeVirt object. */
  readonly workloadUpdate: WorkQueue;
  readonly replicaSet: WorkQueue;
  readonly pool: WorkQueue;
  readonly kubevirt: WorkQueue;
  /** Objects of kinds that nothing acts on yet. */
  readonly unavailable: WorkQueue;
}

export interface EventTargets {
  readonly queues: Queues;
  /** By the UID of a VM, replica set or pool: what it made and deleted. */
  readonly vmExpectations: Expectations;
  /** By VMI UID: Pods made. */
  readonly vmiExpectations: Expectations;
  readonly config: LiveConfig;
  readonly liveness: HandlerLiveness;
}

/** Connects the caches to the queues. Call before the caches start. */
export function connectEvents(caches: Caches, targets: EventTargets): void {
  connectVms(caches, targets);
  connectVmis(caches, targets);
  connectPods(caches, targets);
  connectAttachmentPods(caches, targets);
  connectStorage(caches, targets);
  connectLeases(caches, targets);
  connectSets(caches, targets);
  const { config, queues } = targets;
  const configured = (object: KubeVirt): void => {
    config.observe(object);
    queues.kubevirt.add(keyOf(object));
    for (const vm of caches.vms.list()) queues.vm.add(keyOf(vm));
  };
  caches.kubeVirts.on({ add: configured, update: configured });
  // Labels of a namespace choose VMs in it.
  const labelled = ({ metadata }: Namespace): void => {
    for (const vm of caches.vms.list())
      if (vm.metadata?.namespace === metadata?.name) queues.vm.add(keyOf(vm));
  };
  caches.namespaces.on({ update: labelled });
}

function connectVms(caches: Caches, { queues, vmExpectations }: EventTargets): void {
  const ofPool = (vm: VirtualMachine): void => wakeSets(vm, 'VirtualMachinePool', caches.pools, queues.pool);
  const deletionSeen = (vm: VirtualMachine): void =>
    vmExpectations.deletionObserved(managerUid(vm, caches.pools), vm.metadata?.uid ?? '');
  caches.vms.on({
    add: (vm) => {
      vmExpectations.creationObserved(managerUid(vm, caches.pools));
      queues.vm.add(keyOf(vm));
      ofPool(vm);
    },
    update: (vm) => {
      if (vm.metadata?.deletionTimestamp !== undefined) deletionSeen(vm);
      queues.vm.add(keyOf(vm));
      ofPool(vm);
    },
    delete: (vm) => {
      deletionSeen(vm);
      // Its VMI may wait for a VM controller that has nothing to say any more.
      queues.vmi.add(keyOf(vm));
      ofPool(vm);
    },
  });
}

/**
 * UID of the manager, if `owners` has it under its name in the object's own namespace; empty otherwise. What an object
 * of another namespace says fulfils nobody's expectation.
 */
function managerUid(object: KubernetesObject, owners: Informer<KubernetesObject>): string {
  const manager = controllerOf(object);
  const owner = owners.get(`${object.metadata?.namespace}/${manager?.name}`);
  return manager !== undefined && owner?.metadata?.uid === manager.uid ? manager.uid : '';
}

/** Wakes the set that manages an object, or, when nobody does, every set that may adopt it. */
function wakeSets(
  object: KubernetesObject,
  kind: string,
  sets: Informer<KubernetesObject & { readonly spec: { readonly selector: LabelSelector } }>,
  queue: WorkQueue,
): void {
  const manager = controllerOf(object);
  const namespace = object.metadata?.namespace ?? '';
  if (manager?.kind === kind) queue.add(`${namespace}/${manager.name}`);
  if (manager !== undefined) return;
  for (const set of sets.byIndex(BY_NAMESPACE, namespace)) {
    if (matchesSelector(set.spec.selector, object.metadata?.labels)) queue.add(keyOf(set));
  }
}

function connectSets({ pools, replicaSets }: Caches, { queues, vmExpectations }: EventTargets): void {
  const follow = <T extends KubernetesObject>(informer: Informer<T>, queue: WorkQueue): void => {
    const changed = (set: T): void => queue.add(keyOf(set));
    const gone = (set: T): void => vmExpectations.forget(set.metadata?.uid ?? '');
    informer.on({ add: changed, update: changed, delete: gone });
  };
  follow(replicaSets, queues.replicaSet);
  follow(pools, queues.pool);
}

function connectVmis(caches: Caches, { queues, vmExpectations, vmiExpectations }: EventTargets): void {
  // A VM has the name of its VMI; a VM that waits for a taken name must hear of it too.
  const changed = (vmi: VirtualMachineInstance): void => {
    queues.vmi.add(keyOf(vmi));
    queues.vm.add(keyOf(vmi));
    wakeSets(vmi, 'VirtualMachineInstanceReplicaSet', caches.replicaSets, queues.replicaSet);
    const vm = caches.vms.get(keyOf(vmi));
    const pool = vm === undefined ? undefined : controllerOf(vm);
    if (pool?.kind === 'VirtualMachinePool') queues.pool.add(`${vm?.metadata?.namespace}/${pool.name}`);
  };
  const managerOf = (vmi: VirtualMachineInstance): string =>
    managerUid(vmi, caches.vms) || managerUid(vmi, caches.replicaSets);
  const deletionSeen = (vmi: VirtualMachineInstance): void =>
    vmExpectations.deletionObserved(managerOf(vmi), vmi.metadata?.uid ?? '');
  caches.vmis.on({
    add: (vmi) => {
      vmExpectations.creationObserved(managerOf(vmi));
      changed(vmi);
    },
    update: (vmi) => {
      if (vmi.metadata?.deletionTimestamp !== undefined) deletionSeen(vmi);
      changed(vmi);
    },
    delete: (vmi) => {
      deletionSeen(vmi);
      vmiExpectations.forget(vmi.metadata?.uid ?? '');
      changed(vmi);
    },
  });
}

function connectPods({ pods, vmis }: Caches, { queues, vmiExpectations }: EventTargets): void {
  const changed = (pod: Pod): void => {
    const manager = controllerOf(pod);
    if (manager?.kind === 'VirtualMachineInstance')
      queues.vmi.add(`${pod.metadata.namespace}/${manager.name}`);
  };
  pods.on({
    add: (pod) => {
      vmiExpectations.creationObserved(managerUid(pod, vmis));
      changed(pod);
    },
    update: changed,
    delete: changed,
  });
}

/** An attachment Pod belongs to a launcher Pod, and that one to a VMI. */
function connectAttachmentPods({ attachmentPods, pods }: Caches, { queues }: EventTargets): void {
  const changed = (pod: Pod): void => {
    const launcher = pods.get(`${pod.metadata.namespace}/${controllerOf(pod)?.name}`);
    const manager = launcher === undefined ? undefined : controllerOf(launcher);
    if (manager?.kind === 'VirtualMachineInstance')
      queues.vmi.add(`${pod.metadata.namespace}/${manager.name}`);
  };
  attachmentPods.on({ add: changed, update: changed, delete: changed });
}

function connectStorage(
  { claims, dataVolumes, snapshotClasses, storageClasses, vms, vmis }: Caches,
  { queues }: EventTargets,
): void {
  const changed = (key: string): void => {
    for (const user of vmis.byIndex(BY_CLAIM, key)) queues.vmi.add(keyOf(user));
    for (const user of vms.byIndex(BY_CLAIM, key)) queues.vm.add(keyOf(user));
  };
  claims.on({
    add: (claim) => changed(keyOf(claim)),
    update: (claim) => changed(keyOf(claim)),
    delete: (claim) => changed(keyOf(claim)),
  });
  dataVolumes.on((dataVolume) => changed(keyOf(dataVolume)));
  // Classes say which volumes can be snapshotted. They hardly ever change.
  const all = (): void => vms.list().forEach((vm) => queues.vm.add(keyOf(vm)));
  snapshotClasses.on(all);
  storageClasses.on({ add: all, update: all, delete: all });
}

/** A node is queued once; its controller comes back when the handler's time is up. */
function connectLeases({ leases }: Caches, { queues, liveness }: EventTargets): void {
  const renewed = (lease: Lease): void => {
    const node = nodeOfLease(lease);
    if (node === undefined) return;
    const known = liveness.leftMs(node) !== undefined;
    liveness.observe(node, lease.spec?.renewTime);
    if (!known) queues.node.add(node);
  };
  leases.on({ add: renewed, update: renewed, delete: (lease) => liveness.forget(nodeOfLease(lease) ?? '') });
}
