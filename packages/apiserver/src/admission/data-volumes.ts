/**
 * DataVolumes of the embedded home: what they are filled from may not change, and who clones from another
 * namespace must be allowed to read it there (`cloneRights` of `@podvisor/api`, as with CDI). virt-controller
 * asks the same question in the name of a VM's service account before it creates one.
 */
import { type CloneRight, cloneRights, type CloneSource } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { Store } from '../object-store.ts';
import { keyOf } from '@podvisor/store';
import type { Authorizer } from '../authz/authorizer.ts';
import { type JsonObject, objectAt, stringAt } from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';

const GROUP = 'cdi.kubevirt.io';
const ASKS_ITSELF = 'system:serviceaccount:kubevirt:kubevirt-controller';
const MAX_HOPS = 4;

export function dataVolumes(store: Store, authorizer: Authorizer): Plugin {
  return {
    validate: (attributes) => {
      const { definition, operation, subresource, object, oldObject, name } = attributes;
      if (definition.group !== GROUP || definition.plural !== 'datavolumes' || subresource !== '') return;
      if (operation === 'UPDATE' && !deepEqual(objectAt(object, 'spec'), objectAt(oldObject, 'spec')))
        throw forbiddenObject(definition, name, 'Cannot update DataVolume Spec');
      if (operation !== 'CREATE') return;
      const problem = shapeProblem(objectAt(object, 'spec'));
      if (problem !== undefined)
        throw forbiddenObject(definition, name || stringAt(object, 'metadata', 'name'), problem);
      checkSource(attributes, store, authorizer);
    },
  };
}

/** One storage, one source, as CDI wants it. */
function shapeProblem(spec: JsonObject): string | undefined {
  const has = (key: string): boolean => spec[key] !== undefined && spec[key] !== null;
  if (has('pvc') && has('storage'))
    return 'Duplicate storage definition, both target storage and target pvc defined';
  if (!has('pvc') && !has('storage')) return 'Missing Data volume PVC';
  if (has('source') && has('sourceRef'))
    return 'DataVolume should have either Source or SourceRef, or be externally populated';
  const filled = objectAt(spec, has('pvc') ? 'pvc' : 'storage');
  const external = filled['dataSource'] !== undefined || filled['dataSourceRef'] !== undefined;
  if (!has('source') && !has('sourceRef'))
    return external
      ? undefined
      : 'DataVolume should have either Source or SourceRef, or be externally populated';
  const sources = Object.keys(objectAt(spec, 'source')).length;
  if (has('source') && sources !== 1)
    return sources === 0 ? 'Missing Data volume source' : 'Multiple Data volume sources';
  if (has('sourceRef') && stringAt(spec, 'sourceRef', 'kind') !== 'DataSource')
    return `Unsupported sourceRef kind ${stringAt(spec, 'sourceRef', 'kind')}, currently only DataSource is supported`;
  return undefined;
}

function checkSource(
  { definition, object, namespace, user, name }: Attributes,
  store: Store,
  authorizer: Authorizer,
): void {
  const source = cloneSource(objectAt(object, 'spec'), namespace, store);
  if (source === undefined || source.namespace === namespace || user.username === ASKS_ITSELF) return;
  const has = (right: CloneRight): boolean =>
    authorizer.authorize(user, { ...right, isResource: true, path: '' }).allowed;
  if (cloneRights(source).some((all) => all.every(has))) return;
  throw forbiddenObject(
    definition,
    name || stringAt(object, 'metadata', 'name'),
    `User ${user.username} has insufficient permissions in clone source namespace ${source.namespace}`,
  );
}

/** What the content is copied from; undefined: nothing of the cluster. */
function cloneSource(spec: JsonObject, own: string, store: Store): CloneSource | undefined {
  const direct = sourceIn(objectAt(spec, 'source'), own);
  if (direct !== undefined) return direct;
  let name = stringAt(spec, 'sourceRef', 'name');
  let from = stringAt(spec, 'sourceRef', 'namespace') || own;
  for (let hop = 0; name !== '' && hop < MAX_HOPS; hop += 1) {
    const found = store.latest(keyOf(GROUP, 'datasources', from, name))?.object;
    const source = objectAt(found, 'spec', 'source');
    const end = sourceIn(source, from);
    if (end !== undefined) return end;
    name = stringAt(source, 'dataSource', 'name');
    from = stringAt(source, 'dataSource', 'namespace') || from;
    // One that leads nowhere yet counts as a claim where it ends: it may lead there later.
    if (name === '' || hop === MAX_HOPS - 1) return { kind: 'pvc', namespace: from, name };
  }
  return undefined;
}

function sourceIn(source: JsonObject, own: string): CloneSource | undefined {
  for (const kind of ['pvc', 'snapshot'] as const) {
    const [name, namespace] = [stringAt(source, kind, 'name'), stringAt(source, kind, 'namespace')];
    if (name !== '' || namespace !== '') return { kind, namespace: namespace || own, name };
  }
  return undefined;
}
