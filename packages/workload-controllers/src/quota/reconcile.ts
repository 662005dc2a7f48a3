/** What a namespace uses of a ResourceQuota. Pure. */
import {
  type PersistentVolumeClaim,
  type Pod,
  type Quantity,
  type ResourceQuota,
  type Service,
  isPodEnded,
} from '@podvisor/api';
import { type Amount, parseQuantity } from '@podvisor/base';

/** The objects of one namespace. `counts`: how many there are, by `resource.group` or `resource`. */
export interface NamespaceUse {
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
  readonly claims: readonly PersistentVolumeClaim[];
  counts(resource: string): number | undefined;
}

export interface QuotaObservation {
  readonly quota: ResourceQuota;
  readonly use: NamespaceUse;
}

/** Names of older quotas for counted objects. */
const COUNTED: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'services',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
]);

export function quotaStatus(quota: ResourceQuota, use: NamespaceUse): NonNullable<ResourceQuota['status']> {
  const hard = quota.spec?.hard ?? {};
  const pods = use.pods.filter((pod) => !isPodEnded(pod) && inScopes(pod, quota.spec?.scopes ?? []));
  const used = Object.fromEntries(
    Object.keys(hard).flatMap((name) => {
      const value = usedOf(name, pods, use);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { hard, used };
}

function inScopes(pod: Pod, scopes: readonly string[]): boolean {
  return scopes.every((scope) => {
    const isBestEffort = pod.status?.qosClass === 'BestEffort';
    const isTerminating = pod.spec.activeDeadlineSeconds !== undefined;
    switch (scope) {
      case 'BestEffort':
        return isBestEffort;
      case 'NotBestEffort':
        return !isBestEffort;
      case 'Terminating':
        return isTerminating;
      case 'NotTerminating':
        return !isTerminating;
      default:
        return true;
    }
  });
}

/** Undefined: we do not know how to measure it, and say nothing rather than something wrong. */
function usedOf(name: string, pods: readonly Pod[], use: NamespaceUse): Quantity | undefined {
  if (name === 'pods' || name === 'count/pods') return String(pods.length);
  if (name === 'requests.storage')
    return total(use.claims.map(({ spec }) => spec.resources?.requests?.['storage']));
  const own = /^(requests|limits)\.(.+)$/.exec(name);
  if (own !== null) return podTotal(pods, own[1] === 'limits' ? 'limits' : 'requests', own[2] ?? '');
  if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage')
    return podTotal(pods, 'requests', name);
  if (name === 'services.nodeports')
    return String(
      use.services.flatMap(({ spec }) => spec?.ports ?? []).filter(({ nodePort = 0 }) => nodePort > 0).length,
    );
  if (name === 'services.loadbalancers')
    return String(use.services.filter(({ spec }) => spec?.type === 'LoadBalancer').length);
  const counted = name.startsWith('count/')
    ? name.slice('count/'.length)
    : COUNTED.has(name)
      ? name
      : undefined;
  const count = counted === undefined ? undefined : use.counts(counted);
  return count === undefined ? undefined : String(count);
}

/** Containers together, or the largest init container, whichever is more. */
function podTotal(pods: readonly Pod[], field: 'requests' | 'limits', resource: string): string {
  return total(
    pods.flatMap(({ spec }) => {
      const of = (list: typeof spec.containers = []): Amount[] =>
        list.map(({ resources }) => amount(resources?.[field]?.[resource]));
      const together = of(spec.containers).reduce((a, b) => a.plus(b), amount(undefined));
      const largest = of(spec.initContainers).reduce((a, b) => (b.nano > a.nano ? b : a), amount(undefined));
      return [largest.nano > together.nano ? largest.toString() : together.toString()];
    }),
  );
}

function total(values: readonly (Quantity | undefined)[]): string {
  return values.reduce<Amount>((sum, value) => sum.plus(amount(value)), amount(undefined)).toString();
}

function amount(value: Quantity | undefined): Amount {
  return parseQuantity(value ?? 0);
}
