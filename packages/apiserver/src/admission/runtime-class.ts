/** A Pod's RuntimeClass must be there; what it says of overhead and nodes becomes the Pod's. */
import { deepEqual } from '@podvisor/base';
import { keyOf } from '@podvisor/store';
import type { Store } from '../object-store.ts';
import { arrayAt, asString, at, type JsonObject, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';

export function runtimeClass(store: Store): Plugin {
  return {
    mutate: (attributes) => {
      const { object } = attributes;
      const found = isNewPod(attributes) ? classOf(store, attributes) : undefined;
      if (found === undefined || object === undefined) return undefined;
      const spec: JsonObject = { ...objectAt(object, 'spec') };
      setOverhead(attributes, found, spec);
      setPlace(attributes, found, spec);
      return { ...object, spec };
    },
    validate: (attributes) => {
      if (!isNewPod(attributes)) return;
      const overhead = at(attributes.object, 'spec', 'overhead') ?? undefined;
      const fixed = at(classOf(store, attributes), 'overhead', 'podFixed');
      if (fixed !== undefined && !deepEqual(fixed, overhead)) throw refused(attributes, OTHER_OVERHEAD);
      if (fixed === undefined && overhead !== undefined) throw refused(attributes, OWN_OVERHEAD);
    },
  };
}

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const OWN_OVERHEAD = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

function isNewPod({ definition, operation, subresource }: Attributes): boolean {
  return (
    definition.group === '' && definition.plural === 'pods' && operation === 'CREATE' && subresource === ''
  );
}

function refused({ definition, name, object }: Attributes, why: string): Error {
  return forbiddenObject(definition, name || stringAt(object, 'metadata', 'name'), why);
}

function classOf(store: Store, attributes: Attributes): KubeObject | undefined {
  const name = at(attributes.object, 'spec', 'runtimeClassName') ?? undefined;
  if (name === undefined) return undefined;
  const found = store.latest(keyOf('node.k8s.io', 'runtimeclasses', '', asString(name)))?.object;
  if (found === undefined)
    throw refused(attributes, `pod rejected: RuntimeClass "${asString(name)}" not found`);
  return found;
}

function setOverhead(attributes: Attributes, found: KubeObject, spec: JsonObject): void {
  const fixed = at(found, 'overhead', 'podFixed');
  if (fixed === undefined) return;
  const own = objectAt(spec, 'overhead');
  if (Object.keys(own).length > 0 && !deepEqual(own, fixed)) throw refused(attributes, OTHER_OVERHEAD);
  spec['overhead'] = fixed;
}

function setPlace(attributes: Attributes, found: KubeObject, spec: JsonObject): void {
  if ((found['scheduling'] ?? undefined) === undefined) return;
  const own = objectAt(spec, 'nodeSelector');
  const wanted = objectAt(found, 'scheduling', 'nodeSelector');
  for (const [key, value] of Object.entries(wanted))
    if (own[key] !== undefined && own[key] !== value)
      throw refused(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${asString(value)}; pod.spec.nodeSelector[${key}] = ${asString(own[key])}`,
      );
  if (Object.keys(wanted).length > 0) spec['nodeSelector'] = { ...own, ...wanted };
  const tolerations = arrayAt(spec, 'tolerations');
  const more = arrayAt(found, 'scheduling', 'tolerations').filter(
    (one) => !tolerations.some((other) => deepEqual(one, other)),
  );
  if (more.length > 0) spec['tolerations'] = [...tolerations, ...more];
}
