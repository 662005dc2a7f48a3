/** The rows of VMs, VMIs, nodes and the configuration. */
import { type KubeVirt, type Lease, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { controller, keyOf, onChange, type TableController, type Wake } from '@podvisor/kube';
import { attachmentPodsOf, type Caches, isOwn, ownPodsOf } from '../caches.ts';
import { BY_CLAIM, BY_NAMESPACE, BY_NODE, BY_VMI, namespaceKeys } from '../caches/indexes.ts';
import type { ControllerContext } from '../context.ts';
import { buildStateClaim } from '../watch/backend-storage/state-claim.ts';
import { ConfigReporter } from '../watch/kubevirt-config.ts';
import { vmiKeyOf } from '../watch/migration/controller.ts';
import { isFinalMigrationPhase, isGateEnabled } from '@podvisor/api';
import { NodeController } from '../watch/node/controller.ts';
import { nodeOfLease } from '../watch/node/liveness.ts';
import { runsGuests } from '../watch/node/runs-guests.ts';
import { controllerOf, controllerOfKind, ownerKinds } from '../watch/ownership.ts';
import { snapshotClassOf } from '../watch/snapshot/snapshot-class.ts';
import { desiredTracking } from '../watch/vm/volumes/changed-block-tracking.ts';
import { VmController } from '../watch/vm/controller.ts';
import { freeBytesOf, type PlaceToGrow } from '../watch/vm/place-to-grow.ts';
import { VmiController } from '../watch/vmi/controller.ts';
import { buildLauncherPod } from '../watch/vmi/launcher-pod.ts';

/** VMs whose volumes follow their spec by migration, all under one value. */
const MOVES_VOLUMES = 'movesVolumes';

export function vmRow(context: ControllerContext): TableController {
  const { caches, config, volumes } = context;
  const { vms } = caches;
  const all = (): readonly string[] => vms.list().map(keyOf);
  const users = (object: { readonly metadata?: { namespace?: string; name?: string } }): readonly string[] =>
    vms.byIndex(BY_CLAIM, `${object.metadata?.namespace}/${object.metadata?.name}`).map(keyOf);
  return controller({
    name: 'vm',
    workers: 10,
    resource: vms,
    indexes: {
      [BY_NAMESPACE]: namespaceKeys,
      [MOVES_VOLUMES]: ({ spec }) => (spec.updateVolumesStrategy === 'Migration' ? ['yes'] : []),
    },
    wakes: [
      // A VM has the name of its VMI; a VM that waits for a taken name must hear of it too.
      onChange(caches.vmis, (vmi) => [keyOf(vmi)]),
      onChange(caches.kubeVirts, all, ['add', 'update']),
      // Labels of a namespace choose VMs in it.
      onChange(
        caches.namespaces,
        ({ metadata }) => vms.byIndex(BY_NAMESPACE, metadata?.name ?? '').map(keyOf),
        ['update'],
      ),
      onChange(caches.claims, users),
      // The claim of a hibernated guest is in no spec.
      onChange(caches.claims, (claim) => {
        const vm = controllerOfKind(claim, ownerKinds.vm);
        return vm === undefined ? [] : [`${claim.metadata.namespace}/${vm.name}`];
      }),
      onChange(caches.dataVolumes, users),
      // Classes say which volumes can be snapshotted. They hardly ever change.
      onChange(caches.snapshotClasses, all),
      onChange(caches.storageClasses, all),
      onChange(caches.storageProfiles, all),
      (wake) =>
        onNewNode(caches, () =>
          vms
            .byIndex(MOVES_VOLUMES, 'yes')
            .map(keyOf)
            .forEach((key) => wake(key)),
        ),
      (wake) => onMigrationEnd(caches, wake),
    ],
    steps: new VmController({
      ...context,
      expectations: context.expectations.owners,
      random: Math.random,
      vm: (key) => vms.get(key),
      vmi: (key) => caches.vmis.get(key),
      storage: (namespace) => ({
        ...volumes(namespace),
        dataVolumesServed: caches.dataVolumes.served,
        dataVolume: (name) => caches.dataVolumes.get(namespace, name),
        claim: (name) => caches.claims.get(`${namespace}/${name}`),
        snapshotClass: (claim) =>
          snapshotClassOf(
            claim,
            caches.storageClasses.list(),
            caches.snapshotClasses.list(),
            caches.storageProfiles.get('', claim.spec.storageClassName ?? ''),
          ),
      }),
      migrationsOf: (key) => caches.migrations.byIndex(BY_VMI, key),
      hasOtherNode: (name) => hasOtherNode(caches, name),
      placeToGrow: (vmi) => placeToGrow(caches, vmi),
      liveUpdate: () => config.current.vmRolloutStrategy === 'LiveUpdate',
      config: () => config.current,
      tracking: (vm) =>
        desiredTracking(
          vm,
          config.current,
          caches.namespaces.get(vm.metadata?.namespace ?? '')?.metadata?.labels,
        ),
      referencePolicy: () => config.current.instancetypeReferencePolicy,
    }),
  });
}

function hasOtherNode({ nodes }: Caches, name: string | undefined): boolean {
  return nodes.list().some((found) => runsGuests(found) && found.metadata.name !== name);
}

function placeToGrow(caches: Caches, vmi: VirtualMachineInstance): PlaceToGrow {
  const name = vmi.status?.nodeName;
  if (hasOtherNode(caches, name)) return { kind: 'other node' };
  const pod = ownPodsOf(caches, vmi).find(
    ({ metadata }) => metadata.uid !== undefined && vmi.status?.activePods?.[metadata.uid] === name,
  );
  if (pod === undefined || name === undefined) return { kind: 'nowhere' };
  const beside = () => caches.pods.list().filter(({ spec }) => spec.nodeName === name);
  return { kind: 'in place', pod, freeBytes: () => freeBytesOf(caches.nodes.get(name), beside()) };
}

/** Another node is all that some volumes wait for to be moved. */
function onNewNode({ nodes }: Caches, listener: () => void): void {
  nodes.on({
    add: (node) => {
      if (runsGuests(node)) listener();
    },
    update: (node, old) => {
      if (runsGuests(node) && !runsGuests(old)) listener();
    },
  });
}

/** The volumes of a VM may wait to be put back, or to be moved. */
function onMigrationEnd({ migrations }: Caches, wake: Wake): void {
  migrations.on({
    update: (migration, old) => {
      const ended = isFinalMigrationPhase(migration.status?.phase);
      if (ended && !isFinalMigrationPhase(old.status?.phase)) wake(vmiKeyOf(migration));
    },
    delete: (migration) => wake(vmiKeyOf(migration)),
  });
}

export function vmiRow(context: ControllerContext): TableController {
  const { caches, config, liveness, podContext } = context;
  const { vmis, pods } = caches;
  const ofManager = (pod: Pod | undefined): readonly string[] => {
    const manager = pod === undefined ? undefined : controllerOf(pod);
    return manager?.kind === 'VirtualMachineInstance' ? [`${pod?.metadata.namespace}/${manager.name}`] : [];
  };
  const users = (object: { readonly metadata?: { namespace?: string; name?: string } }): readonly string[] =>
    vmis.byIndex(BY_CLAIM, `${object.metadata?.namespace}/${object.metadata?.name}`).map(keyOf);
  const steps = new VmiController({
    ...context,
    expectations: context.expectations.vmis,
    vmi: (key) => vmis.get(key),
    pods: (owner) => ownPodsOf(caches, owner),
    isOwnPod: (pod, owner) => isOwn(caches, pod, owner),
    attachmentPods: (launcher) => attachmentPodsOf(caches, launcher),
    containerPathsAllowed: () => isGateEnabled(config.current, 'ContainerPathVolumes'),
    ownerVmExists: (owned) => ownerVmExists(owned, caches),
    handlerSilent: (nodeName) => liveness.isSilent(nodeName),
    renderPod: (owner) => buildLauncherPod(owner, podContext(owner)),
    renderStateClaim: (owner) => buildStateClaim(owner, config.current),
  });
  pods.on({ delete: (gone) => steps.forgetPod(gone) });
  return controller({
    name: 'vmi',
    workers: 20,
    resource: vmis,
    wakes: [
      // A VMI may wait for a VM controller that has nothing to say any more.
      onChange(caches.vms, (vm) => [keyOf(vm)], ['delete']),
      onChange(pods, ofManager),
      // An attachment Pod belongs to a launcher Pod, and that one to a VMI.
      onChange(caches.attachmentPods, (pod) =>
        ofManager(pods.get(`${pod.metadata.namespace}/${controllerOf(pod)?.name}`)),
      ),
      onChange(caches.claims, users),
      // The claim of firmware and TPM is in no spec; it belongs to the VM, whose VMI has its name, or to the VMI.
      onChange(caches.claims, (claim) => {
        const owner = controllerOfKind(claim, ownerKinds.vm) ?? controllerOfKind(claim, ownerKinds.vmi);
        return owner === undefined ? [] : [`${claim.metadata.namespace}/${owner.name}`];
      }),
      onChange(caches.dataVolumes, users),
      (wake) => liveness.onSilent((node) => vmis.byIndex(BY_NODE, node).forEach((vmi) => wake(keyOf(vmi)))),
    ],
    steps,
  });
}

/** By UID: another VM under the same name does not count. */
function ownerVmExists(vmi: VirtualMachineInstance, caches: Caches): boolean {
  const owner = controllerOfKind(vmi, ownerKinds.vm);
  if (owner === undefined) return false;
  return caches.vms.get(`${vmi.metadata?.namespace}/${owner.name}`)?.metadata?.uid === owner.uid;
}

/** A node is woken once, by the first Lease of its handler; it comes back when the handler's time is up. */
export function nodeRow(context: ControllerContext): TableController {
  const { caches, liveness } = context;
  const renewed = (lease: Lease, wake: Wake): void => {
    const node = nodeOfLease(lease);
    if (node === undefined) return;
    const known = liveness.leftMs(node) !== undefined;
    liveness.observe(node, lease.spec?.renewTime);
    if (!known) wake(node);
  };
  return controller({
    name: 'node',
    workers: 2,
    wakes: [
      (wake) =>
        caches.leases.on({
          add: (lease) => renewed(lease, wake),
          update: (lease) => renewed(lease, wake),
          delete: (lease) => liveness.forget(nodeOfLease(lease) ?? ''),
        }),
    ],
    steps: new NodeController({ ...context, recheckVmisOn: (name) => liveness.tellSilent(name) }),
  });
}

export function configurationRow(context: ControllerContext): TableController {
  const { kubeVirts } = context.caches;
  return controller<KubeVirt, KubeVirt, unknown>({
    name: 'kubevirt',
    workers: 1,
    resource: kubeVirts,
    steps: new ConfigReporter({ ...context, kubevirt: (key) => kubeVirts.get(key) }),
  });
}
