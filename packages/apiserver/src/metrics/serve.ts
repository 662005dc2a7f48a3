/**
 * metrics.k8s.io: what nodes and Pods use, for `kubectl top` and autoscalers. Objects are made when asked for, from
 * the nodes' control groups; they are never stored.
 */
import type { Stored } from '../object-store.ts';
import type { Core, VerbContext } from '../core.ts';
import { AGE, age, column, NAME } from '../registry/columns/plain.ts';
import type { Printer, ResourceDefinition } from '../registry/definition.ts';
import { library } from '../registry/library.ts';
import type { NodeProxy } from '@podvisor/home-contract';
import { selectionOf } from '../verbs/read/select.ts';
import { storedForm, storeKey } from '../verbs/serialize.ts';
import type { Answer } from '../verbs/answer.ts';
import { type KubeObject, stringAt } from '../wire/json.ts';
import { notFound } from '../wire/status.ts';
import { METRICS_VERSION, type UsageObjects } from './rates.ts';
import { UsageSampler } from './sampler.ts';

const [group = '', version = ''] = METRICS_VERSION.split('/');

/** Adds the resources to the registry. */
export function serveMetrics(core: Core, nodes: NodeProxy): void {
  const sampler = new UsageSampler(core.clock, () => nodes.usage());
  const serve = (
    definition: ResourceDefinition,
    pick: (usage: UsageObjects) => readonly KubeObject[],
  ): void => {
    core.registry.add([definition]);
    core.virtual.set(definition.collection, async (context) => answer(context, pick(await sampler.usage())));
  };
  serve(define('nodes', 'NodeMetrics', false), (usage) => usage.nodes);
  serve(define('pods', 'PodMetrics', true), (usage) => usage.pods);
}

function answer(context: VerbContext, objects: readonly KubeObject[]): Answer {
  const { core, definition, info } = context;
  const revision = core.store.revision;
  const items = objects.map((object): Stored => {
    const { name = '', namespace = '' } = object.metadata;
    return storedForm(definition, storeKey(definition, namespace, name), labelled(core, object), revision);
  });
  if (info.verb === 'get') {
    const key = storeKey(definition, definition.namespaced ? info.namespace : '', info.name);
    const stored = items.find((item) => item.key === key);
    if (stored === undefined) throw notFound(definition, info.name);
    return { kind: 'object', code: 200, stored };
  }
  const selection = selectionOf(context);
  const chosen = items.filter(
    ({ key, object }) =>
      (selection.prefix === undefined || key.startsWith(selection.prefix)) && selection.matches(object),
  );
  return { kind: 'list', items: chosen, revision };
}

/** Metrics carry the labels of what they are about, so that selectors find them. */
function labelled({ store }: Core, object: KubeObject): KubeObject {
  const { name, namespace } = object.metadata;
  const collection = namespace === undefined ? '/nodes//' : `/pods/${namespace}/`;
  const labels = store.get(`${collection}${name}`)?.object.metadata.labels;
  return labels === undefined ? object : { ...object, metadata: { ...object.metadata, labels } };
}

const printer: Printer = {
  columns: [NAME, column('CPU'), column('Memory'), column('Window'), AGE],
  cells: (object, now) => [
    object.metadata.name ?? '',
    stringAt(object, 'usage', 'cpu'),
    stringAt(object, 'usage', 'memory'),
    stringAt(object, 'window'),
    age(object, now),
  ],
};

function define(plural: string, kind: string, namespaced: boolean): ResourceDefinition {
  return {
    group,
    version,
    apiVersion: METRICS_VERSION,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: '',
    namespaced,
    shortNames: [],
    categories: [],
    verbs: ['get', 'list'],
    subresources: new Map(),
    collection: `${group}/${plural}`,
    storageVersion: version,
    schema: library.struct(kind),
    rules: {},
    printer,
    custom: undefined,
  };
}
