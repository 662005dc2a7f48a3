/** The rows of what moves guests between nodes: migrations, evacuations, workload updates. */
import {
  annotations,
  isFinalMigrationPhase,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { Amount, parseQuantity } from '@podvisor/base';
import { controller, keyOf, onChange, type TableController, type Wake } from '@podvisor/kube';
import { attachmentPodsOf, type Caches, isOwn, openMigrations, ownPodsOf } from '../caches.ts';
import { BY_NODE, BY_VMI } from '../caches/indexes.ts';
import type { ControllerContext } from '../context.ts';
import { buildTargetStateClaim } from '../watch/backend-storage/hand-over.ts';
import { EvacuationController } from '../watch/evacuation/controller.ts';
import { MigrationController } from '../watch/migration/controller.ts';
import { frozenConfiguration, policyFor } from '../watch/migration/policy.ts';
import { buildTargetPod } from '../watch/migration/target-pod.ts';
import type { HandOff } from '../watch/migration/vmi-patches.ts';
import { isPodFinal } from '../watch/vmi/pod-state.ts';
import { THROTTLE_MS, WorkloadUpdateController } from '../watch/workload-update/controller.ts';

type Migration = VirtualMachineInstanceMigration;
type Vmi = VirtualMachineInstance;

/** Migrations that wait for their turn, all under one value. */
const WAITING = 'waiting';

/** Calls when a migration ends or goes: a place in the cluster and on its nodes may be free. */
const onFreedPlace = ({ migrations }: Caches, listener: () => void): void => {
  migrations.on({
    update: ({ status }, old) => {
      if (isFinalMigrationPhase(status?.phase) && !isFinalMigrationPhase(old.status?.phase)) listener();
    },
    delete: listener,
  });
};

export function migrationRow(context: ControllerContext): TableController {
  const { caches, config, podContext, volumes } = context;
  const { migrations, vmis } = caches;
  const pods = (vmi: Vmi): readonly Pod[] => ownPodsOf(caches, vmi);
  const steps = new MigrationController({
    ...context,
    expectations: context.expectations.migrations,
    migration: (key) => migrations.get(key),
    openMigrations: () => openMigrations(caches),
    migrationsOf: (key) => migrations.byIndex(BY_VMI, key),
    pods,
    isOwnPod: (pod, vmi) => isOwn(caches, pod, vmi),
    attachmentPods: (launcher) => attachmentPodsOf(caches, launcher),
    vmi: (key) => vmis.get(key),
    limits: () => config.current.migrations,
    handOff: (vmi, target) => handOffOf(vmi, target, context),
    renderTarget: (object, vmi) =>
      buildTargetPod(object, vmi, {
        ...podContext(vmi),
        sourceNode: caches.nodes.get(vmi.status?.nodeName ?? ''),
        sourcePod: pods(vmi).find((pod) => pod.spec.nodeName === vmi.status?.nodeName && !isPodFinal(pod)),
      }),
    renderTargetState: (object, vmi) =>
      buildTargetStateClaim(object, vmi, volumes(vmi.metadata?.namespace ?? ''), config.current),
  });
  migrations.on({ delete: (gone) => steps.forget(gone) });
  /** A target Pod and its attachment Pod name their migration. */
  const named = ({ metadata }: Pod): readonly string[] => {
    const name = metadata.annotations?.[annotations.migrationJobName];
    return name === undefined ? [] : [`${metadata.namespace}/${name}`];
  };
  const waiting = (): readonly string[] => migrations.byIndex(WAITING, 'yes').map(keyOf);
  return controller({
    name: 'migration',
    workers: 2,
    resource: migrations,
    indexes: {
      [WAITING]: ({ status }) => (['', 'Pending'].includes(status?.phase ?? '') ? ['yes'] : []),
    },
    wakes: [
      onChange(vmis, (vmi) =>
        migrations
          .byIndex(BY_VMI, keyOf(vmi))
          .filter(({ status }) => !isFinalMigrationPhase(status?.phase))
          .map(keyOf),
      ),
      onChange(caches.pods, named),
      onChange(caches.attachmentPods, named),
      onChange(caches.kubeVirts, waiting, ['add', 'update']),
      (wake) => onFreedPlace(caches, () => waiting().forEach((key) => wake(key))),
    ],
    steps,
  });
}

function handOffOf(vmi: Vmi, target: Pod | undefined, { caches, config }: ControllerContext): HandOff {
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

/** What both of those that ask for migrations look at. */
const asking = (context: ControllerContext) => ({
  ...context,
  expectations: context.expectations.migrations,
  config: () => context.config.current,
  openMigrations: (): readonly Migration[] => openMigrations(context.caches),
  migrationsOf: (vmi: Vmi): readonly Migration[] => context.caches.migrations.byIndex(BY_VMI, keyOf(vmi)),
});

export function evacuationRow(context: ControllerContext): TableController {
  const { caches } = context;
  const { nodes, vmis } = caches;
  const steps = new EvacuationController({
    ...asking(context),
    node: (name) => nodes.get(name),
    vmisOn: (name) => vmis.byIndex(BY_NODE, name),
  });
  vmis.on({ delete: (gone) => steps.forget(gone) });
  const all = (): readonly string[] => nodes.list().map(keyOf);
  return controller({
    name: 'evacuation',
    workers: 1,
    resource: nodes,
    wakes: [
      onChange(
        vmis,
        ({ status }) => {
          const { evacuationNodeName, nodeName = '' } = status ?? {};
          const isTainted = (nodes.get(nodeName)?.spec?.taints ?? []).length > 0;
          return evacuationNodeName !== undefined || isTainted ? [nodeName] : [];
        },
        ['add', 'update'],
      ),
      onChange(caches.kubeVirts, all, ['add', 'update']),
      (wake) => onFreedPlace(caches, () => all().forEach((key) => wake(key))),
    ],
    steps,
  });
}

export function workloadUpdateRow(context: ControllerContext): TableController {
  const { caches } = context;
  const { kubeVirts, vmis } = caches;
  const soon = (wake: Wake): void => kubeVirts.list().forEach((found) => wake(keyOf(found), THROTTLE_MS));
  return controller({
    name: 'workloadupdate',
    workers: 1,
    resource: kubeVirts,
    wakes: [
      (wake) => vmis.on({ add: () => soon(wake), update: () => soon(wake) }),
      (wake) => onFreedPlace(caches, () => soon(wake)),
    ],
    steps: new WorkloadUpdateController({
      ...asking(context),
      kubevirt: (key) => kubeVirts.get(key),
      vmis: () => vmis.list(),
      pods: (vmi) => ownPodsOf(caches, vmi),
    }),
  });
}
