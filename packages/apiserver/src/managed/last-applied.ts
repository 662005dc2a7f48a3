/**
 * Objects that `kubectl apply` made before it applied on the server: it left what it had applied in an annotation, and
 * its fields belong to an updater. When kubectl applies on the server, what that annotation says and the object still
 * has is no conflict, and the annotation is kept up to date for those who still apply on their side. Other managers,
 * by their name, have nothing to do with it.
 */
import type { Schema } from '../registry/schema.ts';
import { areTooLarge } from '../registry/annotations.ts';
import { isObject, type Json, type JsonObject, type KubeObject } from '../wire/json.ts';
import { typedProblem } from './check-typed.ts';
import { PathSet } from './path-set.ts';
import { compareTyped, DuplicateItemError, fieldSetOf } from './typed.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const KUBECTL = 'kubectl';

/** The fields that kubectl itself set from its user's side, and that nobody changed since. */
export function appliedBefore(
  schema: Schema,
  live: KubeObject | undefined,
  config: KubeObject,
  manager: string,
): PathSet {
  const nothing = new PathSet();
  const text = manager === KUBECTL ? (live?.metadata.annotations?.[ANNOTATION] ?? '') : '';
  if (live === undefined || text === '') return nothing;
  const applied = parsed(text);
  if (applied === undefined || applied['apiVersion'] !== config.apiVersion) return nothing;
  if (typedProblem(schema, applied, '') !== undefined) return nothing;
  try {
    const { added, modified, removed } = compareTyped(schema, applied, live);
    return fieldSetOf(schema, applied).difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof DuplicateItemError) return nothing;
    throw error;
  }
}

/** The object with its annotation brought up to what was just applied, where there is one. */
export function withLastApplied(object: KubeObject, config: KubeObject, manager: string): KubeObject {
  const annotations = object.metadata.annotations ?? {};
  if (manager !== KUBECTL || (annotations[ANNOTATION] ?? '') === '') return object;
  const next = { ...annotations, [ANNOTATION]: lastAppliedText(config) };
  return {
    ...object,
    metadata: { ...object.metadata, annotations: areTooLarge(next) ? without(next, ANNOTATION) : next },
  };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As kubectl would have written it: keys in order, a line of its own. */
function lastAppliedText(config: KubeObject): string {
  const { annotations, ...metadata } = config.metadata;
  const others = annotations === undefined ? {} : { annotations: without(annotations, ANNOTATION) };
  return `${JSON.stringify(sorted({ ...config, metadata: { ...metadata, ...others } } as JsonObject))}\n`;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, item === undefined ? item : sorted(item)]),
  );
}

function without(annotations: Readonly<Record<string, string>>, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => name !== key));
}
