/** Keeps the status of ResourceQuotas: what their namespace uses. Refusing what exceeds it is admission's part. */
import type { KubernetesObject, PersistentVolumeClaim, Pod } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import {
  defineResource,
  type Informer,
  type KubeClient,
  keyOf,
  type Log,
  runController,
  WorkQueue,
} from '@podvisor/kube';
import type { Service } from '../../services/types.ts';
import { idOf, type SharedInformers } from '../../informers/shared-informers.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { type Quota, quotaStatus } from './reconcile.ts';

export const quotaResource = defineResource<Quota>('ResourceQuota', 'resourcequotas', 'v1');

export interface QuotaControllerOptions {
  readonly client: KubeClient;
  readonly informers: SharedInformers;
  readonly quotas: Informer<Quota>;
  readonly pods: Informer<Pod>;
  readonly services: Informer<Service>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly clock: Clock;
  readonly log: Log;
}

export function runQuotaController(options: QuotaControllerOptions, signal: AbortSignal): Promise<void> {
  const { client, informers, quotas, pods, services, claims, clock, log } = options;
  const queue = new WorkQueue({ clock });
  const look = (quota: Quota): void => queue.add(keyOf(quota));
  quotas.on({ add: look, update: look });
  const wake = ({ metadata }: KubernetesObject): void => {
    for (const quota of quotas.byIndex('namespace', metadata?.namespace ?? '')) look(quota);
  };
  for (const informer of [pods, services, claims] as const)
    informer.on({ add: wake, update: wake, delete: wake });
  const counted = new Set<string>();
  /** Counts the objects of any resource that is served, and hears of it from then on. */
  const countIn = (namespace: string, resource: string): number | undefined => {
    const informer = informers.all().find((one) => idOf(one.resource) === resource);
    if (informer === undefined) return undefined;
    if (!counted.has(resource)) {
      counted.add(resource);
      informer.on({ add: (object, initial) => initial || wake(object), delete: wake });
    }
    return informer.byIndex('namespace', namespace).length;
  };
  const reconcile = async (key: string, end: AbortSignal): Promise<void> => {
    const quota = quotas.get(key);
    if (quota === undefined || quota.metadata.deletionTimestamp !== undefined) return;
    const { namespace = '' } = quota.metadata;
    const status = quotaStatus(quota, {
      pods: pods.byIndex('namespace', namespace),
      services: services.byIndex('namespace', namespace),
      claims: claims.byIndex('namespace', namespace),
      counts: (resource) => countIn(namespace, resource),
    });
    await writeStatus(client, quotaResource, quota, status, end);
  };
  return runController({ name: 'quota', queue, workers: 2, log, reconcile }, signal);
}
