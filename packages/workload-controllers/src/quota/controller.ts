/** Keeps the status of ResourceQuotas: what their namespace uses. Refusing what exceeds it is admission's part. */
import type { KubernetesObject, PersistentVolumeClaim, Pod, ResourceQuota, Service } from '@podvisor/api';
import {
  controller,
  defineResource,
  resourceIdOf,
  type Informer,
  keyOf,
  onChange,
  type SharedInformers,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { type QuotaObservation, quotaStatus } from './reconcile.ts';

export const quotaResource = defineResource<ResourceQuota>('ResourceQuota', 'resourcequotas', 'v1');

export interface QuotaControllerOptions extends ControllerOptions {
  readonly informers: SharedInformers;
  readonly quotas: Informer<ResourceQuota>;
  readonly pods: Informer<Pod>;
  readonly services: Informer<Service>;
  readonly claims: Informer<PersistentVolumeClaim>;
}

export function quotaController(options: QuotaControllerOptions): TableController {
  const { client, informers, quotas, pods, services, claims } = options;
  const counted = new Set<string>();
  const ofNamespace = ({ metadata }: KubernetesObject): readonly string[] =>
    quotas.byIndex('namespace', metadata?.namespace ?? '').map(keyOf);
  let wakeKey: Wake = () => undefined;
  const wakes = (wake: Wake): void => {
    wakeKey = wake;
    onChange(quotas, (quota) => [keyOf(quota)], ['add', 'update'])(wake);
    for (const informer of [pods, services, claims] as const) onChange(informer, ofNamespace)(wake);
  };
  /** Counts the objects of any resource that is served, and hears of it from then on. */
  const countIn = (namespace: string, resource: string): number | undefined => {
    const informer = informers.all().find((one) => resourceIdOf(one.resource) === resource);
    if (informer === undefined) return undefined;
    if (!counted.has(resource)) {
      counted.add(resource);
      const changed = (object: KubernetesObject): void => ofNamespace(object).forEach((key) => wakeKey(key));
      informer.on({ add: (object, initial) => initial || changed(object), delete: changed });
    }
    return informer.byIndex('namespace', namespace).length;
  };
  const observe = (key: string): QuotaObservation | undefined => {
    const quota = quotas.get(key);
    if (quota === undefined || quota.metadata.deletionTimestamp !== undefined) return undefined;
    const { namespace = '' } = quota.metadata;
    return {
      quota,
      use: {
        pods: pods.byIndex('namespace', namespace),
        services: services.byIndex('namespace', namespace),
        claims: claims.byIndex('namespace', namespace),
        counts: (resource) => countIn(namespace, resource),
      },
    };
  };
  const apply = async (
    status: NonNullable<ResourceQuota['status']>,
    { quota }: QuotaObservation,
    signal: AbortSignal,
  ): Promise<undefined> => {
    await writeStatus(client, quotaResource, quota, status, signal);
  };
  return controller({
    name: 'quota',
    workers: 2,
    wakes: [wakes],
    steps: { observe, plan: ({ quota, use }) => quotaStatus(quota, use), apply },
  });
}
