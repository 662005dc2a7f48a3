/** Puts the parts of virt-operator together and runs them while it leads. */
import type { Clock } from '@podvisor/base';
import {
  EventRecorder,
  type KubeClient,
  type Log,
  type QueueMetrics,
  runController,
  WorkQueue,
} from '@podvisor/kube';
import { readClusterFacts } from './cluster-facts.ts';
import type { OperatorImage } from './install/settings-of.ts';
import { Caches } from './reconcile/caches.ts';
import { OperatorController } from './reconcile/controller.ts';

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
  const { client, namespace, image, clock, log, runbooks } = options;
  const facts = await readClusterFacts(client, signal);
  const caches = new Caches({ client, namespace, monitoringKinds: facts.monitoringKinds, clock, log });
  const queue = new WorkQueue({ clock, observer: options.queues?.observer('virt-operator-installation') });
  const events = new EventRecorder({ client, component: 'virt-operator', clock, log });
  await caches.start(() => queue.add(KEY), signal);
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
  queue.add(KEY);
  const reconcile = (_key: string, ending: AbortSignal) => controller.reconcile(ending);
  await runController({ name: 'installation', queue, workers: 1, reconcile, log }, signal);
  await events.flush();
}
