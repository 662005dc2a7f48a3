/** Runs the controllers: one table of them, on shared caches. Only the leader does this. */
import { messageOf } from '@podvisor/base';
import { controllerTable, type TableController } from '@podvisor/kube';
import { type ControllerContext, type ControllersOptions, createContext } from './context.ts';
import { observeExpectations } from './observe-expectations.ts';
import { evacuationRow, migrationRow, workloadUpdateRow } from './table/migrations.ts';
import { nodeLossRow, restartedRow } from './table/node-loss.ts';
import { poolRow, replicaSetRow } from './table/replicas.ts';
import {
  backupRow,
  cloneRow,
  contentRow,
  exportRow,
  restoreRow,
  snapshotRow,
  trackerRow,
} from './table/storage.ts';
import { configurationRow, nodeRow, vmiRow, vmRow } from './table/workloads.ts';
import { removeLegacyBudgets } from './watch/disruption-budget/legacy.ts';
import { UnavailableController, unavailableRow } from './watch/unavailable/controller.ts';

export type { ControllersOptions } from './context.ts';

/** Every controller of this component. */
function table(context: ControllerContext, unavailable: UnavailableController): readonly TableController[] {
  return [
    vmRow(context),
    vmiRow(context),
    nodeRow(context),
    nodeLossRow(context),
    restartedRow(context),
    migrationRow(context),
    evacuationRow(context),
    workloadUpdateRow(context),
    replicaSetRow(context),
    poolRow(context),
    configurationRow(context),
    snapshotRow(context),
    contentRow(context),
    restoreRow(context),
    exportRow(context),
    backupRow(context),
    trackerRow(context),
    cloneRow(context),
    unavailableRow(unavailable),
  ];
}

/** Runs all controllers until the signal ends them. */
export async function runControllers(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, log } = options;
  const context = createContext(options);
  const { caches, storage, recorder } = context;
  const unavailable = new UnavailableController(context);
  observeExpectations(context);
  const run = controllerTable(table(context, unavailable), {
    clock,
    log,
    prefix: 'virt-controller-',
    metrics: options.queues,
  });
  options.onSnapshots?.(storage.snapshots);
  for (const cache of [...Object.values(caches), ...Object.values(storage)])
    if (cache !== options.kubeVirts) cache.start(signal);
  await Promise.all(Object.values(caches).map((cache) => cache.synced()));
  // The other kinds of stored data may not be served: nobody waits for them.
  await storage.volumeSnapshots.synced();
  unavailable.start(signal);
  removeLegacyBudgets(client, signal).catch((error: unknown) =>
    log.warn({ error: messageOf(error) }, 'budgets of an old installation could not be removed'),
  );
  options.onReady?.(caches);
  await run(signal);
  await recorder.flush();
}
