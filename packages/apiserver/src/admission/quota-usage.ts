/** What one object uses of a ResourceQuota, by resource name. */
import { Amount, parseQuantity } from '@podvisor/base';
import type { ResourceDefinition } from '../registry/definition.ts';
import { arrayAt, asString, at, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import { podResources } from './limit-range.ts';

export type Usage = ReadonlyMap<string, Amount>;

const ONE = new Amount(1_000_000_000n);
const BARE = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

export function usageOf({ group, plural }: ResourceDefinition, object: KubeObject): Usage {
  const usage = new Map<string, Amount>([[`count/${plural}${group === '' ? '' : `.${group}`}`, ONE]]);
  if (group !== '') return usage;
  if (plural === 'pods') {
    const phase = stringAt(object, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') return usage;
  }
  if (BARE.has(plural)) usage.set(plural, ONE);
  if (plural === 'pods') addPod(usage, object);
  if (plural === 'services') addService(usage, object);
  if (plural === 'persistentvolumeclaims') addClaim(usage, object);
  return usage;
}

function addPod(usage: Map<string, Amount>, pod: KubeObject): void {
  const resources = podResources(pod);
  for (const [name, value] of Object.entries(objectAt(resources, 'requests'))) {
    const amount = parseQuantity(asString(value));
    usage.set(`requests.${name}`, amount);
    if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage') usage.set(name, amount);
  }
  for (const [name, value] of Object.entries(objectAt(resources, 'limits')))
    usage.set(`limits.${name}`, parseQuantity(asString(value)));
}

function addService(usage: Map<string, Amount>, service: KubeObject): void {
  const type = stringAt(service, 'spec', 'type');
  if (type === 'LoadBalancer') usage.set('services.loadbalancers', ONE);
  const without = at(service, 'spec', 'allocateLoadBalancerNodePorts') === false;
  if (type === 'NodePort' || (type === 'LoadBalancer' && !without))
    usage.set('services.nodeports', new Amount(BigInt(arrayAt(service, 'spec', 'ports').length) * ONE.nano));
}

function addClaim(usage: Map<string, Amount>, claim: KubeObject): void {
  const storage = objectAt(claim, 'spec', 'resources', 'requests')['storage'];
  const name = stringAt(claim, 'spec', 'storageClassName');
  if (name !== '') usage.set(`${name}.storageclass.storage.k8s.io/persistentvolumeclaims`, ONE);
  if (storage === undefined) return;
  usage.set('requests.storage', parseQuantity(asString(storage)));
  if (name !== '')
    usage.set(`${name}.storageclass.storage.k8s.io/requests.storage`, parseQuantity(asString(storage)));
}

/** Whether a quota with scopes counts this object. Scopes are about Pods. */
export function inScope(
  quota: KubeObject,
  { group, plural }: ResourceDefinition,
  object: KubeObject,
): boolean {
  const plain = arrayAt(quota, 'spec', 'scopes').map((scope) => ({
    scopeName: asString(scope),
    operator: 'Exists',
  }));
  const scopes = [...plain, ...arrayAt(quota, 'spec', 'scopeSelector', 'matchExpressions')];
  if (scopes.length === 0) return true;
  if (group !== '' || plural !== 'pods') return false;
  const resources = podResources(object);
  const bestEffort = ['requests', 'limits'].every(
    (key) => Object.keys(objectAt(resources, key)).length === 0,
  );
  const terminating = at(object, 'spec', 'activeDeadlineSeconds') !== undefined;
  return scopes.every((scope) => {
    const values = arrayAt(scope, 'values');
    switch (stringAt(scope, 'scopeName')) {
      case 'BestEffort':
        return bestEffort;
      case 'NotBestEffort':
        return !bestEffort;
      case 'Terminating':
        return terminating;
      case 'NotTerminating':
        return !terminating;
      case 'PriorityClass': {
        const name = stringAt(object, 'spec', 'priorityClassName');
        const operator = stringAt(scope, 'operator');
        if (operator === 'Exists') return name !== '';
        if (operator === 'DoesNotExist') return name === '';
        return operator === 'In' ? values.includes(name) : !values.includes(name);
      }
      default:
        return false;
    }
  });
}
