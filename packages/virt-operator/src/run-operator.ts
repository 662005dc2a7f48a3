/** Puts the parts of virt-operator together and runs them while it leads. */
import type { Clock } from '@podvisor/base';
import {
  EventRecorder,
  type KubeClient,
  type Log,
  type QueueMetrics,
  type ReconcileResult,
  runController,
  WorkQueue,
} from '@podvisor/kube';
import { followUnsupported } from './cluster-facts.ts';
import type { OperatorImage } from './install/settings-of.ts';
import { Caches } from './reconcile/caches.ts';
import { OperatorController, type OperatorOptions } from './reconcile/controller.ts';
import { missingRights } from './reconcile/missing-rights.ts';
import { MonitoringKinds } from './reconcile/monitoring-kinds.ts';

export interface RunOperatorOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly image: OperatorImage;
  /** Where the page of an alert (`%s`) is. */
  readonly runbooks?: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly queues?: QueueMetrics;
}

const KEY = 'installation';

export async function runOperator(options: RunOperatorOptions, signal: AbortSignal): Promise<void> {
  const { client, log } = options;
  const unsupported = followUnsupported(client);
  const monitoring = new MonitoringKinds(options);
  await monitoring.start(signal);
  while (!signal.aborted) {
    const facts = { monitoringKinds: monitoring.kinds, unsupported };
    const { changed } = monitoring;
    try {
      await keepInstallation(options, facts, AbortSignal.any([signal, changed]));
    } catch (error) {
      // Whoever waits for a first list when the kinds change is told that it will not come.
      if (!changed.aborted) throw error;
    }
    if (!signal.aborted && changed.aborted)
      log.info({ kinds: monitoring.kinds }, 'other kinds of the Prometheus operator');
  }
}

/** With what the cluster is; begins anew when that changes, and when it gets rights that it lacked. */
async function keepInstallation(
  options: RunOperatorOptions,
  facts: Pick<OperatorOptions, 'monitoringKinds' | 'unsupported'>,
  outer: AbortSignal,
): Promise<void> {
  const again = new AbortController();
  const signal = AbortSignal.any([outer, again.signal]);
  const { client, namespace, image, clock, log, runbooks } = options;
  const caches = new Caches({ client, namespace, monitoringKinds: facts.monitoringKinds, clock, log });
  const queue = new WorkQueue({ clock, observer: options.queues?.observer('virt-operator-installation') });
  const events = new EventRecorder({ client, component: 'virt-operator', clock, log });
  const controller = new OperatorController({
    client,
    caches,
    events,
    namespace,
    image,
    clock,
    log,
    ...facts,
    ...(runbooks === undefined ? {} : { runbooks }),
  });
  const lacking = (): Promise<string | undefined> => missingRights(client, caches.followed, signal);
  const isBlind = (await lacking()) !== undefined;
  const wake = (): void => queue.add(KEY);
  await (isBlind ? caches.startKubeVirts(wake, signal) : caches.start(wake, signal));
  queue.add(KEY);
  const reconcile = async (_key: string, ending: AbortSignal): Promise<ReconcileResult> => {
    if (!isBlind) return controller.reconcile(ending);
    const lacks = await lacking();
    if (lacks === undefined) return again.abort();
    log.warn({ lacks }, 'rights are missing');
    return controller.tellMissing(lacks, ending);
  };
  await runController({ name: 'installation', queue, workers: 1, reconcile, log }, signal);
  await events.flush();
}
