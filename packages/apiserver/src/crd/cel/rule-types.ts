/** The types that the CEL library gives to `self` and `oldSelf`, from a schema. */
import { deepEqual, memberOf, setMember } from '@podvisor/base';
import type { Environment } from '@marcbachmann/cel-js';
import { isObject, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import { checkExpression, checkingEnvironment, type Expression } from './cel.ts';
import { fieldNames } from './field-names.ts';

/** `optionalOld`: `oldSelf` is an optional. */
export type Check = (expression: string, optionalOld: boolean) => Expression;

/** Rules at the root, and at an embedded resource, may look at the names that every object has. */
export function withRoot(schema: JsonObject): JsonObject {
  const text = { type: 'string' };
  const metadata = { type: 'object', properties: { name: text, generateName: text } };
  const properties = { ...objectAt(schema, 'properties'), apiVersion: text, kind: text, metadata };
  return { ...schema, properties };
}

/** A checker whose `self` and `oldSelf` have the type of the schema. */
export function checker(node: JsonObject): Check {
  const environment = checkingEnvironment();
  const counter = { next: 0 };
  const type = typeOf(node, environment, counter);
  environment.registerVariable('self', type);
  const plain = environment.clone();
  plain.registerVariable('oldSelf', type);
  const optional = environment.clone();
  optional.registerVariable('oldSelf', 'optional');
  return (expression, optionalOld) => checkExpression(optionalOld ? optional : plain, expression);
}

function typeOf(node: JsonObject, environment: Environment, counter: { next: number }): string {
  if (node['x-kubernetes-int-or-string'] === true) return 'dyn';
  switch (stringAt(node, 'type')) {
    case 'string':
      return memberOf(STRINGS, stringAt(node, 'format')) ?? 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'double';
    case 'boolean':
      return 'bool';
    case 'array':
      return `list<${isObject(node['items']) ? typeOf(node['items'], environment, counter) : 'dyn'}>`;
    case 'object':
      return objectType(node, environment, counter);
    default:
      return 'dyn';
  }
}

const STRINGS: Readonly<Record<string, string>> = {
  'date-time': 'google.protobuf.Timestamp',
  date: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  byte: 'bytes',
};

/** Values of which the schema says nothing are not seen by rules, and neither are lists and maps of such. */
export function isDescribed(node: JsonObject): boolean {
  if (node['x-kubernetes-int-or-string'] === true) return true;
  const type = stringAt(node, 'type');
  const inside = type === 'array' ? node['items'] : type === 'object' ? node['additionalProperties'] : true;
  if (isObject(inside)) return isDescribed(inside);
  return type !== '' && type !== 'array';
}

function objectType(node: JsonObject, environment: Environment, counter: { next: number }): string {
  const values = node['additionalProperties'];
  if (isObject(values)) return `map<string, ${typeOf(values, environment, counter)}>`;
  if (values === true) return 'map<string, dyn>';
  const fields: Record<string, string> = {};
  const described = node['x-kubernetes-embedded-resource'] === true ? withRoot(node) : node;
  for (const [property, child] of Object.entries(objectAt(described, 'properties'))) {
    if (!isObject(child) || !isDescribed(child)) continue;
    const type = typeOf(child, environment, counter);
    for (const name of fieldNames(property)) setMember(fields, name, type);
  }
  counter.next += 1;
  const name = `Object${counter.next}`;
  environment.registerType(name, { fields });
  // Every type can be compared with itself; the library knows that of its own types only.
  environment.registerOperator(`${name} == ${name}`, (a: unknown, b: unknown) => deepEqual(a, b));
  environment.registerOperator(`${name} == null`, (a: unknown) => a === null);
  return name;
}
