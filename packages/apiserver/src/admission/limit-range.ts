/** LimitRanges: fill in what containers do not say, and refuse what is beyond the namespace's limits. */
import { type Amount, parseQuantity, memberOf } from '@podvisor/base';
import type { Store } from '../object-store.ts';
import {
  arrayAt,
  asString,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

export function limitRanges(store: Store): Plugin {
  const limitsIn = (namespace: string): Json[] =>
    store
      .list('/limitranges', `/limitranges/${namespace}/`)
      .flatMap(({ object }) => arrayAt(object, 'spec', 'limits'));
  const applies = ({ definition, operation, subresource }: Attributes): boolean =>
    definition.group === '' &&
    (definition.plural === 'pods' || definition.plural === 'persistentvolumeclaims') &&
    operation === 'CREATE' &&
    subresource === '';
  return {
    mutate: (attributes) => {
      const { object, definition, namespace } = attributes;
      if (!applies(attributes) || definition.plural !== 'pods' || object === undefined) return undefined;
      const limits = limitsIn(namespace).filter((limit) => stringAt(limit, 'type') === 'Container');
      return limits.length === 0 ? undefined : withDefaults(object, limits);
    },
    validate: (attributes) => {
      const { object, definition, namespace, name } = attributes;
      if (!applies(attributes) || object === undefined) return;
      const limits = limitsIn(namespace);
      if (limits.length === 0) return;
      const problems =
        definition.plural === 'pods' ? podProblems(object, limits) : claimProblems(object, limits);
      const [first] = problems;
      if (first === undefined) return;
      throw forbiddenObject(definition, name, problems.length === 1 ? first : `[${problems.join(', ')}]`);
    },
  };
}

/** The Pod with default limits and requests, and an annotation that says which were added. */
function withDefaults(pod: KubeObject, limits: readonly Json[]): KubeObject | undefined {
  const said: string[] = [];
  const merge = (from: readonly Json[], key: string): JsonObject =>
    from.reduce<JsonObject>((all, limit) => ({ ...objectAt(limit, key), ...all }), {});
  const [requests, maxima] = [merge(limits, 'defaultRequest'), merge(limits, 'default')];
  const fill = (kind: string) => (container: Json) => {
    const own = objectAt({ container }, 'container');
    const resources = { ...objectAt(own, 'resources') };
    for (const [key, defaults, word] of [
      ['requests', requests, 'request'],
      ['limits', maxima, 'limit'],
    ] as const) {
      const given = objectAt(resources, key);
      const missing = Object.keys(defaults).filter((resource) => memberOf(given, resource) === undefined);
      if (missing.length === 0) continue;
      resources[key] = {
        ...Object.fromEntries(missing.map((name) => [name, memberOf(defaults, name) ?? '0'])),
        ...given,
      };
      said.push(`${missing.toSorted().join(', ')} ${word} for ${kind} ${stringAt(own, 'name')}`);
    }
    return { ...own, resources };
  };
  const spec = { ...objectAt(pod, 'spec') };
  spec['containers'] = arrayAt(spec, 'containers').map(fill('container'));
  if (spec['initContainers'] !== undefined)
    spec['initContainers'] = arrayAt(spec, 'initContainers').map(fill('init container'));
  if (said.length === 0) return undefined;
  const annotations = {
    ...pod.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${said.join('; ')}`,
  };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec };
}

function podProblems(pod: KubeObject, limits: readonly Json[]): string[] {
  const containers = [...arrayAt(pod, 'spec', 'containers'), ...arrayAt(pod, 'spec', 'initContainers')];
  return limits.flatMap((limit) => {
    const type = stringAt(limit, 'type');
    if (type === 'Container')
      return containers.flatMap((container) => problems(limit, type, objectAt(container, 'resources')));
    return type === 'Pod' ? problems(limit, type, podResources(pod)) : [];
  });
}

/** Sums over containers; an init container counts by itself, for it runs alone. */
export function podResources(pod: KubeObject): JsonObject {
  const out: JsonObject = {};
  for (const key of ['requests', 'limits']) {
    const sums = new Map<string, Amount>();
    for (const container of arrayAt(pod, 'spec', 'containers'))
      for (const [name, value] of Object.entries(objectAt(container, 'resources', key))) {
        const amount = parseQuantity(asString(value));
        sums.set(name, sums.get(name)?.plus(amount) ?? amount);
      }
    for (const container of arrayAt(pod, 'spec', 'initContainers'))
      for (const [name, value] of Object.entries(objectAt(container, 'resources', key))) {
        const amount = parseQuantity(asString(value));
        const sum = sums.get(name);
        if (sum === undefined || sum.compare(amount) < 0) sums.set(name, amount);
      }
    out[key] = Object.fromEntries([...sums].map(([name, amount]) => [name, amount.toString()]));
  }
  return out;
}

function claimProblems(claim: KubeObject, limits: readonly Json[]): string[] {
  const requests = objectAt(claim, 'spec', 'resources', 'requests');
  return limits
    .filter((limit) => stringAt(limit, 'type') === 'PersistentVolumeClaim')
    .flatMap((limit) =>
      problems({ ...objectAt({ limit }, 'limit'), max: {} }, 'PersistentVolumeClaim', { requests }).concat(
        claimMaxima(limit, requests),
      ),
    );
}

function claimMaxima(limit: Json, requests: JsonObject): string[] {
  return Object.entries(objectAt(limit, 'max')).flatMap(([name, value]) => {
    const asked = memberOf(requests, name);
    return asked !== undefined && compare(asked, value) > 0
      ? [
          `maximum ${name} usage per PersistentVolumeClaim is ${asString(value)}, but request is ${asString(asked)}`,
        ]
      : [];
  });
}

function compare(a: Json | undefined, b: Json | undefined): number {
  return parseQuantity(asString(a)).compare(parseQuantity(asString(b)));
}

function problems(limit: Json, type: string, resources: JsonObject): string[] {
  const [requests, limits] = [objectAt(resources, 'requests'), objectAt(resources, 'limits')];
  const out: string[] = [];
  for (const [name, min] of Object.entries(objectAt(limit, 'min')).toSorted()) {
    const [request, most] = [memberOf(requests, name), memberOf(limits, name)];
    const head = `minimum ${name} usage per ${type} is ${asString(min)}`;
    if (request === undefined) out.push(`${head}.  No request is specified`);
    else if (compare(request, min) < 0) out.push(`${head}, but request is ${asString(request)}`);
    else if (most !== undefined && compare(most, min) < 0)
      out.push(`${head}, but limit is ${asString(most)}`);
  }
  for (const [name, max] of Object.entries(objectAt(limit, 'max')).toSorted()) {
    const [request, most] = [memberOf(requests, name), memberOf(limits, name)];
    const head = `maximum ${name} usage per ${type} is ${asString(max)}`;
    if (most === undefined) out.push(`${head}.  No limit is specified`);
    else if (compare(most, max) > 0) out.push(`${head}, but limit is ${asString(most)}`);
    else if (request !== undefined && compare(request, max) > 0)
      out.push(`${head}, but request is ${asString(request)}`);
  }
  for (const [name, ratio] of Object.entries(objectAt(limit, 'maxLimitRequestRatio')).toSorted()) {
    const [request, most] = [memberOf(requests, name), memberOf(limits, name)];
    const head = `${name} max limit to request ratio per ${type} is ${asString(ratio)}`;
    if (request === undefined || parseQuantity(asString(request)).nano === 0n)
      out.push(`${head}, but no request is specified or request is 0`);
    else if (most === undefined || parseQuantity(asString(most)).nano === 0n)
      out.push(`${head}, but no limit is specified or limit is 0`);
    else {
      const real = Number(parseQuantity(asString(most)).nano) / Number(parseQuantity(asString(request)).nano);
      if (real > Number(parseQuantity(asString(ratio)).nano) / 1e9)
        out.push(`${head}, but provided ratio is ${real.toFixed(6)}`);
    }
  }
  return out;
}
