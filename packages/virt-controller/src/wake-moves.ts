/** Which event wakes migrations, evacuations and workload updates. */
import {
  annotations,
  isFinalMigrationPhase,
  labels,
  type Node,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { type Expectations, keyOf } from '@podvisor/kube';
import { BY_VMI, type Caches } from './caches.ts';
import type { Moves } from './moves.ts';
import type { Queues } from './queues.ts';
import { vmiKeyOf } from './watch/migration/controller.ts';
import { runsGuests } from './watch/node/runs-guests.ts';
import { THROTTLE_MS } from './watch/workload-update/controller.ts';

export interface MoveTargets {
  readonly queues: Queues;
  readonly moves: Moves;
  readonly expectations: Expectations;
}

/** Connects the caches to the queues. Call before the caches start. */
export function connectMoves(caches: Caches, targets: MoveTargets): void {
  connectMigrations(caches, targets);
  connectVmis(caches, targets);
  connectPods(caches, targets);
  const { moves, queues } = targets;
  const changed = ({ metadata }: Node): void => queues.evacuation.add(metadata.name ?? '');
  caches.nodes.on({
    add: (node) => {
      changed(node);
      if (runsGuests(node)) wakeVolumes(caches, queues);
    },
    update: (node, old) => {
      changed(node);
      if (runsGuests(node) && !runsGuests(old)) wakeVolumes(caches, queues);
    },
  });
  const configured = (): void => {
    moves.migration.wakeWaiting();
    for (const node of caches.nodes.list()) changed(node);
    wakeWorkloads(caches, queues, 0);
  };
  caches.kubeVirts.on({ add: configured, update: configured });
}

/** VMs whose volumes wait to be moved: another node is all that some of them wait for. */
function wakeVolumes({ vms }: Caches, queues: Queues): void {
  for (const vm of vms.list()) if (vm.spec.updateVolumesStrategy === 'Migration') queues.vm.add(keyOf(vm));
}

function connectMigrations(caches: Caches, { queues, moves, expectations }: MoveTargets): void {
  const vmiUid = (migration: VirtualMachineInstanceMigration): string =>
    caches.vmis.get(vmiKeyOf(migration))?.metadata?.uid ?? '';
  const settled = (): void => {
    moves.migration.wakeWaiting();
    for (const { metadata } of caches.nodes.list()) queues.evacuation.add(metadata.name ?? '');
    wakeWorkloads(caches, queues, THROTTLE_MS);
  };
  caches.migrations.on({
    add: (migration) => {
      expectations.creationObserved(vmiUid(migration));
      queues.migration.add(keyOf(migration));
    },
    update: (migration, old) => {
      queues.migration.add(keyOf(migration));
      const hasEnded = isFinalMigrationPhase(migration.status?.phase);
      if (!hasEnded || isFinalMigrationPhase(old.status?.phase)) return;
      settled();
      queues.vm.add(vmiKeyOf(migration));
    },
    delete: (migration) => {
      moves.migration.forget(migration);
      settled();
      // Volumes may wait to be put back.
      queues.vm.add(vmiKeyOf(migration));
    },
  });
}

function connectVmis(caches: Caches, { queues, moves }: MoveTargets): void {
  const changed = (vmi: VirtualMachineInstance): void => {
    for (const migration of caches.migrations.byIndex(BY_VMI, keyOf(vmi))) {
      if (!isFinalMigrationPhase(migration.status?.phase)) queues.migration.add(keyOf(migration));
    }
  };
  const looked = (vmi: VirtualMachineInstance): void => {
    changed(vmi);
    const { evacuationNodeName, nodeName = '' } = vmi.status ?? {};
    const isTainted = (caches.nodes.get(nodeName)?.spec?.taints ?? []).length > 0;
    if (evacuationNodeName !== undefined || isTainted) queues.evacuation.add(nodeName);
    wakeWorkloads(caches, queues, THROTTLE_MS);
  };
  caches.vmis.on({
    add: looked,
    update: looked,
    delete: (vmi) => {
      changed(vmi);
      moves.evacuation.forget(vmi);
    },
  });
}

/** A target Pod and its attachment Pod name their migration. */
function connectPods(caches: Caches, { queues, expectations }: MoveTargets): void {
  const changed = ({ metadata }: Pod): void => {
    const name = metadata.annotations?.[annotations.migrationJobName];
    if (name !== undefined) queues.migration.add(`${metadata.namespace}/${name}`);
  };
  caches.pods.on({
    add: (pod) => {
      expectations.creationObserved(pod.metadata.labels?.[labels.migrationJobUID] ?? '');
      changed(pod);
    },
    update: changed,
    delete: changed,
  });
  caches.attachmentPods.on({ add: changed, update: changed, delete: changed });
}

function wakeWorkloads(caches: Caches, queues: Queues, afterMs: number): void {
  for (const kubevirt of caches.kubeVirts.list()) queues.workloadUpdate.addAfter(keyOf(kubevirt), afterMs);
}
