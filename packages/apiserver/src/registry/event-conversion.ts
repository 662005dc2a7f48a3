/** Events have two faces: the core one is stored, the one of events.k8s.io names some fields otherwise. */
import type { Json, JsonObject, KubeObject } from '../wire/json.ts';
import type { Conversion } from './definition.ts';

/** events.k8s.io name and core name of the same field. */
const NAMES: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

function rename(object: KubeObject, names: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(object)) out[names.get(key) ?? key] = value as Json;
  return { ...out, apiVersion, kind: object.kind, metadata: object.metadata };
}

const inward = new Map(NAMES);
const outward = new Map(NAMES.map(([own, core]) => [core, own]));

export const eventConversion: Conversion = {
  toStorage: (object) => {
    const stored = rename(object, inward, 'v1');
    // What the core type always writes.
    stored['involvedObject'] ??= {};
    stored['source'] ??= {};
    for (const key of ['firstTimestamp', 'lastTimestamp', 'eventTime']) stored[key] ??= null;
    for (const key of ['reportingComponent', 'reportingInstance']) stored[key] ??= '';
    return stored;
  },
  fromStorage: (object) => rename(object, outward, 'events.k8s.io/v1'),
};
