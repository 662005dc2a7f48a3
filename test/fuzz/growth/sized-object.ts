/** Objects with as many entries at one place as are asked for. Pure. */
import { type Components, type Path, type Place, resolve, type Schema } from './places.ts';

export type Value = unknown;

/** `apart`: entries differ in all that they say. `alike`: all say the same. */
export type Entries = 'apart' | 'alike';

/** The object with a list or map of `count` entries at the place, everything on the way there included. */
export function sizedObject(
  base: Readonly<Record<string, Value>>,
  place: Place,
  count: number,
  entries: Entries,
  components: Components,
): Record<string, Value> {
  const one = (i: number): Value => sample(place.entry, entries === 'apart' ? i : 0, components, 2);
  const many =
    place.kind === 'list'
      ? Array.from({ length: count }, (_, i) => one(i))
      : Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, one(i)]));
  return put(structuredClone(base), place.path, many) as Record<string, Value>;
}

function put(target: Value, [step, ...rest]: Path, value: Value): Value {
  if (step === undefined) return value;
  if (step === 0) {
    const list = Array.isArray(target) ? [...(target as Value[])] : [];
    list[0] = put(list[0] ?? {}, rest, value);
    return list;
  }
  const object: Record<string, Value> = isObject(target) ? { ...target } : {};
  object[step] = put(object[step], rest, value);
  return object;
}

/** A value that fits the type; what is in it is told by the number, so that two numbers give two values. */
function sample(schema: Schema, i: number, components: Components, depth: number): Value {
  const { target } = resolve(schema, components);
  if (target.enum?.[0] !== undefined) return target.enum[0];
  if (target.oneOf !== undefined || target['x-kubernetes-int-or-string'] === true) return 1 + i;
  switch (target.type) {
    case 'string':
      return target.format === 'byte' ? 'YQ==' : `n${i}`;
    case 'integer':
    case 'number':
      return 1 + i;
    case 'boolean':
      return true;
    case 'array':
      return depth === 0 ? [] : [sample(target.items ?? {}, i, components, depth - 1)];
    default:
      return depth === 0 ? {} : members(target, i, components, depth);
  }
}

/** Plain members of an entry; of those that have members of their own the first one: most entries are one of many kinds. */
function members({ properties = {} }: Schema, i: number, components: Components, depth: number): Value {
  const plain: [string, Value][] = [];
  let nested: [string, Value] | undefined;
  for (const [key, property] of Object.entries(properties)) {
    const { target } = resolve(property, components);
    if (target.properties === undefined && target.type !== 'array' && target.type !== 'object')
      plain.push([key, sample(target, i, components, 0)]);
    else nested ??= [key, sample(target, i, components, depth - 1)];
  }
  return Object.fromEntries(nested === undefined ? plain : [...plain, nested]);
}

function isObject(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
