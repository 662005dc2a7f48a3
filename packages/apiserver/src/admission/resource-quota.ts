/**
 * Refuses what would exceed a ResourceQuota of its namespace, and notes at once what it lets in, so that many
 * requests at the same time cannot pass one by one. The quota controller corrects the figures afterwards.
 */
import { Amount, parseQuantity, memberOf, setMember } from '@podvisor/base';
import type { Core } from '../core.ts';
import type { LocalClient } from '../local-client.ts';
import { at, arrayAt, asString, type JsonObject, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';
import { inScope, type Usage, usageOf } from './quota-usage.ts';

/** `local` is asked for when first needed: the chain is older than the client that runs through it. */
export function resourceQuotas(store: Core['store'], local: () => LocalClient): Plugin {
  const waiting = new Map<string, Promise<void>>();
  return {
    validate: async (attributes) => {
      const { operation, subresource, object, namespace, definition } = attributes;
      if (object === undefined || subresource !== '' || namespace === '') return;
      if (operation !== 'CREATE' && !(operation === 'UPDATE' && GROWING.has(definition.plural))) return;
      if (store.list('/resourcequotas', `/resourcequotas/${namespace}/`).length === 0) return;
      const before = waiting.get(namespace) ?? Promise.resolve();
      const mine = before.catch(() => undefined).then(() => admit(store, local(), attributes, object));
      waiting.set(namespace, mine);
      try {
        await mine;
      } finally {
        if (waiting.get(namespace) === mine) waiting.delete(namespace);
      }
    },
  };
}

/** Kinds whose updates may use more. */
const GROWING: ReadonlySet<string> = new Set(['services', 'persistentvolumeclaims']);

async function admit(
  store: Core['store'],
  local: LocalClient,
  { definition, namespace, name, oldObject, dryRun }: Attributes,
  object: KubeObject,
): Promise<void> {
  const usage = usageOf(definition, object);
  const old: Usage = oldObject === undefined ? new Map() : usageOf(definition, oldObject);
  const notes: { quota: KubeObject; used: JsonObject }[] = [];
  for (const { key } of store.list('/resourcequotas', `/resourcequotas/${namespace}/`)) {
    const quota = store.latest(key)?.object;
    if (quota === undefined || !inScope(quota, definition, object)) continue;
    const problem = check(quota, definition.plural, usage, old, object);
    if (typeof problem === 'string') throw forbiddenObject(definition, name, problem);
    if (problem !== undefined) notes.push({ quota, used: problem });
  }
  if (dryRun) return;
  for (const { quota, used } of notes)
    await local.mergePatch(`/api/v1/namespaces/${namespace}/resourcequotas/${quota.metadata.name}/status`, {
      status: { used },
    });
}

/** Why the quota refuses, or what it uses afterwards; undefined when it does not care. */
function check(
  quota: KubeObject,
  plural: string,
  usage: Usage,
  old: Usage,
  object: KubeObject,
): string | JsonObject | undefined {
  const name = quota.metadata.name ?? '';
  const hard = objectAt(quota, 'spec', 'hard');
  const missing = unspecified(hard, plural, object);
  if (missing !== '') return `failed quota: ${name}: must specify ${missing}`;
  const counted = [...usage.keys()].filter((resource) => memberOf(hard, resource) !== undefined).toSorted();
  const grown = counted.filter((resource) => grows(usage.get(resource), old.get(resource)));
  if (grown.length === 0) return undefined;
  const known = objectAt(quota, 'status', 'hard');
  const unknown = grown.filter((resource) => memberOf(known, resource) === undefined);
  if (unknown.length > 0) return `status unknown for quota: ${name}, resources: ${unknown.join(',')}`;
  const used = objectAt(quota, 'status', 'used');
  const next: JsonObject = {};
  const over: string[] = [];
  for (const resource of grown) {
    const now = parseQuantity(asString(memberOf(used, resource)) || '0');
    const sum = now.plus(delta(usage.get(resource), old.get(resource)));
    setMember(next, resource, sum.toString());
    if (sum.compare(parseQuantity(asString(memberOf(known, resource)))) > 0) over.push(resource);
  }
  if (over.length === 0) return next;
  const show = (value: (resource: string) => string): string =>
    over.map((resource) => `${resource}=${value(resource)}`).join(',');
  return (
    `exceeded quota: ${name}, requested: ${show((r) => delta(usage.get(r), old.get(r)).toString())}, ` +
    `used: ${show((r) => asString(memberOf(used, r)) || '0')}, limited: ${show((r) => asString(memberOf(known, r)))}`
  );
}

function delta(now: Amount | undefined, before: Amount | undefined): Amount {
  const amount = now ?? new Amount(0n);
  return before === undefined ? amount : new Amount(amount.nano - before.nano, amount.format);
}

function grows(now: Amount | undefined, before: Amount | undefined): boolean {
  return delta(now, before).nano > 0n;
}

/** Under a quota of CPU or memory every container must say how much it needs. */
function unspecified(hard: JsonObject, plural: string, pod: KubeObject): string {
  if (plural !== 'pods') return '';
  const out: string[] = [];
  for (const resource of Object.keys(hard).toSorted()) {
    const [, kind = 'requests', what = ''] = /^(?:(requests|limits)\.)?(cpu|memory)$/.exec(resource) ?? [];
    if (what === '') continue;
    const silent = [...arrayAt(pod, 'spec', 'initContainers'), ...arrayAt(pod, 'spec', 'containers')]
      .filter((container) => at(container, 'resources', kind, what) === undefined)
      .map((container) => stringAt(container, 'name'));
    if (silent.length > 0) out.push(`${resource} for: ${silent.toSorted().join(',')}`);
  }
  return out.join('; ');
}
