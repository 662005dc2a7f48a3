/**
 * CEL with Kubernetes' functions: quantities, IPs, URLs, regular expressions, lists and sets. Whole numbers
 * are BigInt inside CEL; values are converted on the way in.
 */
import { isIP, isIPv4 } from 'node:net';
import { isQuantity, parseQuantity, type Amount, memberOf } from '@podvisor/base';
import { registerAuthorizer } from './cel-authorizer.ts';
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { Attributes } from '../../admission/attributes.ts';
import { isObject, isRawNumber, type Json } from '../../wire/json.ts';
import { type SchemaProps, valueSchema } from '../schema-props.ts';
import { patternOf } from '../validate.ts';

class Quantity {
  readonly amount: Amount;
  constructor(amount: Amount) {
    this.amount = amount;
  }
}
class Address {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
class Link {
  readonly url: URL;
  constructor(url: URL) {
    this.url = url;
  }
}

type Value = unknown;
const list = (value: Value): Value[] => (Array.isArray(value) ? value : []);
const equal = (a: Value, b: Value): boolean =>
  a === b || JSON.stringify(a, plain) === JSON.stringify(b, plain);
const plain = (_key: string, value: Value): Value => (typeof value === 'bigint' ? Number(value) : value);
const less = (a: Value, b: Value): boolean => (a as bigint) < (b as bigint);

/** Numbers of one kind; CEL adds no others. */
function sum(items: readonly Value[]): bigint | number {
  if (items.every((item) => typeof item === 'bigint')) return items.reduce((total, item) => total + item, 0n);
  if (items.every((item) => typeof item === 'number')) return items.reduce((total, item) => total + item, 0);
  throw new Error('no such overload: sum of values that are not numbers of one kind');
}

const quantity = (text: string): Quantity => new Quantity(parseQuantity(text));

function url(text: string): Link {
  const link = URL.parse(text.startsWith('/') ? `relative:${text}` : text);
  if (link === null) throw new Error(`URL parse error during conversion from string: ${text}`);
  return new Link(link);
}

/** An environment with all functions; `loose` takes variables that were not declared. */
export function newEnvironment(loose: boolean): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: loose,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  });
  env
    .registerType('kubernetes.Quantity', Quantity)
    .registerType('net.IP', Address)
    .registerType('kubernetes.URL', Link);
  registerAuthorizer(env);
  const f = (signature: string, handler: (...args: never[]) => unknown): void =>
    void env.registerFunction(signature, handler as (...args: unknown[]) => unknown);
  f('quantity(string): kubernetes.Quantity', (text: string) => quantity(text));
  f('isQuantity(string): bool', (text: string) => isQuantity(text));
  f(
    'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
    (a: Quantity, b: Quantity) => a.amount.compare(b.amount) > 0,
  );
  f(
    'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
    (a: Quantity, b: Quantity) => a.amount.compare(b.amount) < 0,
  );
  f('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: Quantity, b: Quantity) =>
    BigInt(a.amount.compare(b.amount)),
  );
  f('kubernetes.Quantity.sign(): int', (a: Quantity) =>
    a.amount.nano > 0n ? 1n : a.amount.nano < 0n ? -1n : 0n,
  );
  f('kubernetes.Quantity.isInteger(): bool', (a: Quantity) => a.amount.nano % 1_000_000_000n === 0n);
  f('kubernetes.Quantity.asInteger(): int', (a: Quantity) => a.amount.nano / 1_000_000_000n);
  f('kubernetes.Quantity.asApproximateFloat(): double', (a: Quantity) => Number(a.amount.nano) / 1e9);
  f(
    'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
    (a: Quantity, b: Quantity) => new Quantity(a.amount.plus(b.amount)),
  );
  f('isIP(string): bool', (text: string) => isIP(text) !== 0);
  f('ip(string): net.IP', (text: string) => {
    if (isIP(text) === 0) throw new Error(`IP Address "${text}" parse error`);
    return new Address(text);
  });
  f('net.IP.family(): int', (address: Address) => (isIPv4(address.text) ? 4n : 6n));
  f('isCIDR(string): bool', (text: string) => isIP(text.split('/')[0] ?? '') !== 0 && /\/\d+$/.test(text));
  f('isURL(string): bool', (text: string) => URL.canParse(text) || text.startsWith('/'));
  f('url(string): kubernetes.URL', (text: string) => url(text));
  f('kubernetes.URL.getScheme(): string', (link: Link) =>
    link.url.protocol === 'relative:' ? '' : link.url.protocol.slice(0, -1),
  );
  f('kubernetes.URL.getHost(): string', (link: Link) => link.url.host);
  f('kubernetes.URL.getHostname(): string', (link: Link) => link.url.hostname);
  f('kubernetes.URL.getPort(): string', (link: Link) => link.url.port);
  f('kubernetes.URL.getEscapedPath(): string', (link: Link) => link.url.pathname);
  f(
    'string.find(string): string',
    (text: string, pattern: string) => patternOf(pattern).exec(text)?.[0] ?? '',
  );
  f('string.findAll(string): list<string>', (text: string, pattern: string) =>
    [...text.matchAll(new RegExp(patternOf(pattern), 'gu'))].map((m) => m[0]),
  );
  f('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.replaceAll(from, to),
  );
  f('string.charAt(int): string', (text: string, index: bigint) => text[Number(index)] ?? '');
  f('string.reverse(): string', (text: string) => [...text].toReversed().join(''));
  f('list.isSorted(): bool', (items: Value[]) =>
    items.every((item, i) => i === 0 || !less(item, items[i - 1])),
  );
  f('list.sum(): dyn', (items: Value[]) => sum(items));
  f('list.min(): dyn', (items: Value[]) => items.reduce((a, b) => (less(b, a) ? b : a)));
  f('list.max(): dyn', (items: Value[]) => items.reduce((a, b) => (less(a, b) ? b : a)));
  f('list.indexOf(dyn): int', (items: Value[], item: Value) =>
    BigInt(items.findIndex((other) => equal(other, item))),
  );
  f('list.lastIndexOf(dyn): int', (items: Value[], item: Value) =>
    BigInt(items.findLastIndex((other) => equal(other, item))),
  );
  f('list.distinct(): list', (items: Value[]) =>
    items.filter((item, i) => items.findIndex((other) => equal(other, item)) === i),
  );
  return env.registerVariable('sets', 'dyn');
}

const environment = newEnvironment(true);

/** For rules with `optionalOldSelf`: only a declared optional can be opened. */
const optionalEnvironment = newEnvironment(true).registerVariable('oldSelf', 'optional');
/** More expressions than all definitions and policies of a cluster have; those in use come back at their next use. */
const MAX_PROGRAMS = 2_000;
const optionalPrograms = new Map<string, ParseResult>();
const programs = new Map<string, ParseResult>();

/** `sets.contains(a, b)` reads as a method of a variable here. */
const SETS = {
  contains: (a: Value, b: Value): boolean =>
    list(b).every((item) => list(a).some((other) => equal(item, other))),
  equivalent: (a: Value, b: Value): boolean => SETS.contains(a, b) && SETS.contains(b, a),
  intersects: (a: Value, b: Value): boolean =>
    list(b).some((item) => list(a).some((other) => equal(item, other))),
};

function setsSyntax(expression: string): string {
  return expression.replace(/\bsets\.(contains|equivalent|intersects)\(/g, 'sets_$1(');
}
for (const [name, handler] of Object.entries(SETS))
  environment.registerFunction(`sets_${name}(dyn, dyn): bool`, handler as (...args: unknown[]) => unknown);

/** Parses an expression; throws when it is not CEL. */
export function compile(expression: string, optionalOld = false): ParseResult {
  const known = optionalOld ? optionalPrograms : programs;
  let program = known.get(expression);
  if (program === undefined) {
    program = (optionalOld ? optionalEnvironment : environment).parse(setsSyntax(expression));
    if (known.size >= MAX_PROGRAMS) known.clear();
    known.set(expression, program);
  }
  return program;
}

/** Evaluates; errors carry CEL's words. */
export function evaluate(expression: string, context: Record<string, unknown>, optionalOld = false): unknown {
  try {
    return compile(expression, optionalOld)(context);
  } catch (error) {
    throw new Error(celMessage(error), { cause: error });
  }
}

/** The messages of cel-go for what people meet. */
export function celMessage(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  const outside =
    /index out of bounds.*?index (-?\d+)/i.exec(text) ?? /index out of bounds:? ?(-?\d+)/i.exec(text);
  if (outside !== null) return `index out of bounds: ${outside[1]}`;
  const key = /No such key: (\S+)/i.exec(text);
  if (key !== null) return `no such key: ${key[1]}`;
  if (/int\(\) type error|cannot convert.*int/i.test(text))
    return "type conversion error from 'string' to 'int'";
  if (/division by zero|divide by zero/i.test(text)) return 'division by zero';
  return text;
}

/** A value as CEL sees it: whole numbers of integer fields are BigInt, times and durations by format. */
export function toCel(value: Json | undefined, schema: SchemaProps | undefined): unknown {
  if (value === undefined || value === null) return null;
  if (isRawNumber(value)) return BigInt(value.rawJSON);
  if (typeof value === 'number')
    return schema?.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);
  if (typeof value === 'string') {
    if (schema?.format === 'date-time' || schema?.format === 'date') return new Date(value);
    if (schema?.format === 'duration') return environment.evaluate(`duration(${JSON.stringify(value)})`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => toCel(item, schema?.items));
  if (!isObject(value)) return value;
  const values = schema === undefined ? undefined : valueSchema(schema);
  const entries = Object.entries(value).map(
    ([key, item]) => [key, toCel(item, memberOf(schema?.properties, key) ?? values)] as const,
  );
  // The library asks an object for its `constructor`; one that has a member of that name must be a Map.
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries);
}

/** The variables of match conditions and admission policies. */
export function celContext(
  attributes: Attributes,
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  const { operation, definition, subresource, namespace, name, object, oldObject, user, dryRun, options } =
    attributes;
  const kind = { group: definition.group, version: definition.version, kind: definition.kind };
  const resource = { group: definition.group, version: definition.version, resource: definition.plural };
  const context: Record<string, unknown> = {
    request: {
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      subResource: subresource,
      requestSubResource: subresource,
      name,
      namespace,
      operation,
      userInfo: {
        username: user.username,
        uid: user.uid ?? '',
        groups: [...user.groups],
        extra: user.extra ?? {},
      },
      dryRun,
      options: toCel(options, undefined),
    },
    ...extra,
  };
  // Most conditions ask who sends a request, and objects are large: each is made ready when it is looked at.
  lazily(context, 'object', () => toCel(object, undefined));
  lazily(context, 'oldObject', () => toCel(oldObject, undefined));
  return context;
}

function lazily(into: Record<string, unknown>, name: string, make: () => unknown): void {
  let known: { readonly value: unknown } | undefined;
  Object.defineProperty(into, name, {
    enumerable: true,
    get: () => {
      known ??= { value: make() };
      return known.value;
    },
  });
}
