/** Whether a configuration fits its type; the first problem in structured merge's words. */
import { memberOf } from '@podvisor/base';
import type { Schema } from '../registry/schema.ts';
import { isObject, isRawNumber, type Json } from '../wire/json.ts';

export function typedProblem(schema: Schema, value: Json | undefined, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  switch (schema.shape) {
    case 'scalar':
      return scalarProblem(schema.type, value, path);
    case 'list': {
      if (!Array.isArray(value)) return `${path}: expected list, got ${shown(value)}`;
      for (const [i, item] of value.entries()) {
        if (schema.listType === 'map') {
          const present = schema.keys.some(
            (key) =>
              isObject(item) && (memberOf(item, key) ?? memberOf(schema.keyDefaults, key)) !== undefined,
          );
          if (!present)
            return `${path}: element ${i}: associative list with keys has an element that omits all key fields [${schema.keys.map((key) => `"${key}"`).join(' ')}] (and doesn't have default values for any key fields)`;
        }
        const problem = typedProblem(schema.element, item, `${path}[${i}]`);
        if (problem !== undefined) return problem;
      }
      return undefined;
    }
    case 'map':
    case 'struct': {
      if (!isObject(value)) return `${path}: expected map, got ${shown(value)}`;
      for (const key in value) {
        const field = schema.shape === 'struct' ? schema.fields.get(key) : undefined;
        if (schema.shape === 'struct' && field === undefined) {
          if (schema.open) continue;
          return `${path}.${key}: field not declared in schema`;
        }
        const problem = typedProblem(
          schema.shape === 'map' ? schema.element : (field?.schema ?? schema),
          value[key],
          `${path}.${key}`,
        );
        if (problem !== undefined) return problem;
      }
      return undefined;
    }
  }
}

function scalarProblem(type: string, value: Json, path: string): string | undefined {
  const expected =
    type === 'string' || type === 'time' || type === 'microtime' || type === 'bytes'
      ? 'string'
      : type === 'bool'
        ? 'boolean'
        : type === 'any' || type === 'quantity' || type === 'intOrString'
          ? ''
          : 'numeric';
  if (expected === '') return undefined;
  const got = isRawNumber(value) ? 'numeric' : typeof value === 'number' ? 'numeric' : typeof value;
  if (expected === got) return undefined;
  return `${path}: expected ${expected}, got &value.valueUnstructured{Value:${goLiteral(value)}}`;
}

function goLiteral(value: Json): string {
  return typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(value);
}

function shown(value: Json): string {
  return `&{${typeof value === 'object' ? JSON.stringify(value) : String(value)}}`;
}
