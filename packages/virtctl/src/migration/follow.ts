/** Follows a migration to its end: phases by watching, figures by asking (nothing announces those). */
import {
  finalizers,
  isFinalMigrationPhase,
  labels,
  type MigrationProgress,
  type MigrationReport,
  type Pod,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { Informer, resources } from '@podvisor/kube';
import type { Session } from '../kube-access.ts';
import { quietLog } from '../quiet-log.ts';
import { Progress, type ProgressMode } from '../progress.ts';
import { getJson } from '../requests.ts';
import { say, type Shell } from '../shell.ts';
import { subresourcePath } from '../subresource-path.ts';
import { phaseLine, progressLine, reportLine, reportOf, targetTrouble, workLine } from './lines.ts';

type Migration = VirtualMachineInstanceMigration;

/** Pause between two questions for figures. */
const ASK_MS = 1000;

/** Names of the migrations of a VMI that exist now; with `ended` only of those that have. */
export async function migrationNames(
  { client, namespace }: Session,
  name: string,
  ended = false,
): Promise<ReadonlySet<string>> {
  const list = await client.list(resources.virtualMachineInstanceMigrations, {
    namespace,
    labelSelector: `kubevirt.io/vmi-name=${name}`,
  });
  const items = ended ? list.items.filter(({ status }) => isFinalMigrationPhase(status?.phase)) : list.items;
  return new Set(items.map((item) => item.metadata?.name ?? ''));
}

/** Tells of the migration that is new since `known`, until it has ended; rejects when it fails. */
export async function followMigration(
  session: Session,
  shell: Shell,
  name: string,
  known: ReadonlySet<string>,
  mode: ProgressMode,
  signal: AbortSignal,
): Promise<void> {
  const started = shell.now();
  const bar = new Progress({ what: 'migration', mode, out: shell.stderr, now: () => shell.now() });
  const tell = (line: string): void => {
    bar.clear();
    say(shell, `+${((shell.now() - started) / 1000).toFixed(2)} s  ${line}`);
  };
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const ended = Promise.withResolvers<Migration>();
  let last = '';
  let target: Informer<Pod> | undefined;
  const look = (migration: Migration): void => {
    if (known.has(migration.metadata?.name ?? '')) return;
    target ??= tellTarget(session, migration, tell, both);
    const line = phaseLine(migration);
    if (line !== last) tell(line);
    last = line;
    // The report comes with the release of the object.
    const isHeld = migration.metadata?.finalizers?.includes(finalizers.migration) ?? false;
    if (isFinalMigrationPhase(migration.status?.phase) && !isHeld) ended.resolve(migration);
  };
  const informer = new Informer<Migration>({
    client: session.client,
    namespace: session.namespace,
    log: quietLog,
    resource: resources.virtualMachineInstanceMigrations,
    labelSelector: `kubevirt.io/vmi-name=${name}`,
  });
  informer.on({ add: look, update: look, delete: (gone) => ended.resolve(gone) });
  const tooLate = (): void => ended.reject(new Error(`migration of VM ${name} has not ended: ${last}`));
  signal.addEventListener('abort', tooLate, { once: true });
  informer.start(both);
  const figures = tellFigures(session, name, tell, bar, both);
  try {
    const report = succeeded(await ended.promise, name);
    bar.all(report?.dataBytes);
    if (report !== undefined) tell(reportLine(report));
  } finally {
    stop.abort();
    await figures;
  }
}

/** Tells what is in the way of the target's Pod, once: a migration waits minutes for a node before it gives up. */
function tellTarget(
  { client, namespace }: Session,
  { metadata }: Migration,
  tell: (line: string) => void,
  signal: AbortSignal,
): Informer<Pod> {
  const labelSelector = `${labels.migrationJobUID}=${metadata?.uid}`;
  const pods = new Informer<Pod>({
    client,
    namespace,
    log: quietLog,
    resource: resources.pods,
    labelSelector,
  });
  let told: string | undefined;
  const look = (pod: Pod): void => {
    const trouble = targetTrouble(pod);
    if (trouble !== undefined && trouble !== told) tell(trouble);
    told = trouble;
  };
  pods.on({ add: look, update: look });
  pods.start(signal);
  return pods;
}

/** The report, where there is one; throws with the reason of a failure. */
function succeeded(migration: Migration, name: string): MigrationReport | undefined {
  const { phase, migrationState } = migration.status ?? {};
  if (phase !== 'Succeeded') {
    const reason = migrationState?.failureReason ?? 'no reason is given';
    throw new Error(`migration of VM ${name} failed: ${reason}`);
  }
  return reportOf(migration);
}

/** Asks the source for figures until the wait ends; a node that has none to give says so by an error. */
async function tellFigures(
  { client, namespace }: Session,
  name: string,
  tell: (line: string) => void,
  bar: Progress,
  signal: AbortSignal,
): Promise<void> {
  const path = subresourcePath('virtualmachineinstances', namespace, name, 'migrationprogress');
  let last = '';
  let told = '';
  while (!signal.aborted) {
    const progress = await getJson(client, path).catch(() => undefined);
    if (isProgress(progress) && progress.planned !== undefined && told !== progress.uid) {
      tell(workLine(progress.planned));
      told = progress.uid;
    }
    if (isProgress(progress) && !signal.aborted) {
      const line = progressLine(progress);
      // For people who watch; what a file or a program needs is the phases and the report.
      if (line !== last && bar.isShown) tell(line);
      last = line;
      const { dataProcessedBytes, dataTotalBytes } = progress;
      if (dataProcessedBytes !== undefined) bar.at(dataProcessedBytes, dataTotalBytes);
    }
    await pause(ASK_MS, signal);
  }
}

function isProgress(value: unknown): value is MigrationProgress {
  return typeof value === 'object' && value !== null && 'uid' in value && 'mode' in value;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
