/**
 * CEL with Kubernetes' functions: quantities, IPs, URLs, regular expressions, lists and sets. Whole numbers
 * are BigInt inside CEL; values are converted on the way in.
 */
import { memberOf } from '@podvisor/base';
import { registerAuthorizer } from './cel-authorizer.ts';
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { Attributes } from '../../admission/attributes.ts';
import { isObject, isRawNumber, type Json } from '../../wire/json.ts';
import { type SchemaProps, valueSchema } from '../schema-props.ts';
import type { CelNode } from './cost/node.ts';
import { fieldNames } from './field-names.ts';
import { withinCallLimit } from './cel-budget.ts';
import { countEvaluation } from './cel-counting.ts';
import { declareAddresses } from './functions/addresses.ts';
import { declareConversions } from './functions/conversions.ts';
import { declareLists } from './functions/lists.ts';
import { declareFormats } from './functions/named-formats.ts';
import { declareOptionals } from './functions/optionals.ts';
import type { Node } from './functions/macro.ts';
import { readPresence } from './functions/presence.ts';
import { declareQuantities } from './functions/quantities.ts';
import { declareTexts } from './functions/texts.ts';
import { declareTwoVariables } from './functions/two-variables.ts';
import { declareUrls } from './functions/urls.ts';
import { declareVersions } from './functions/versions.ts';

/** An environment with all functions; `loose` takes variables that were not declared. */
function newEnvironment(loose: boolean): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: loose,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  });
  registerAuthorizer(env);
  declareAddresses(env);
  declareConversions(env);
  declareFormats(env);
  declareLists(env);
  declareQuantities(env);
  declareTexts(env);
  declareTwoVariables(env);
  declareUrls(env);
  declareVersions(env);
  declareOptionals(env);
  return env;
}

const environment = newEnvironment(true);

/** Declaring all functions takes milliseconds, a copy does not: made when the first expression is checked. */
let strict: Environment | undefined;

/** For checking expressions: variables are to be declared. */
export function checkingEnvironment(): Environment {
  strict ??= newEnvironment(false);
  return strict.clone();
}

/** A read and checked expression; `ast` is undefined when it could not be read. */
export interface Expression {
  readonly result: ReturnType<Environment['check']>;
  readonly ast: CelNode | undefined;
}

export function checkExpression(environment: Environment, expression: string): Expression {
  try {
    const program = environment.parse(expression);
    asGoReads(program.ast);
    return { result: program.check(), ast: program.ast };
  } catch {
    // It could not be read: asked again, the library tells the problem in the form of a result.
    return { result: environment.check(expression), ast: undefined };
  }
}

/** All functions and macros, with and without a receiver. */
export const functionNames: ReadonlySet<string> = new Set(
  environment.getDefinitions().functions.map(({ name }) => name),
);

/** For rules with `optionalOldSelf`: only a declared optional can be opened. */
const optionalEnvironment = environment.clone().registerVariable('oldSelf', 'optional');
/** More expressions than all definitions and policies of a cluster have; those in use come back at their next use. */
const MAX_PROGRAMS = 2_000;
const optionalPrograms = new Map<string, ParseResult>();
const programs = new Map<string, ParseResult>();

/** Where the library reads an expression in another way than cel-go: its macro `has`. */
function asGoReads(node: unknown): void {
  everyNode(node, readPresence);
}

/** The library's `matches` reads JavaScript's patterns; another function of ours reads Go's. */
function useGoPatterns(node: unknown): void {
  everyNode(node, ({ op, args }) => {
    if (op === 'rcall' && Array.isArray(args) && args[0] === 'matches') args[0] = 'matchesPattern';
  });
}

function everyNode(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const part of node) everyNode(part, visit);
  else if (isNode(node)) {
    visit(node);
    everyNode(isComprehension(node.args) ? Object.values(node.args) : node.args, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

/** What a macro over a list was turned into. */
function isComprehension(args: unknown): args is object {
  return typeof args === 'object' && args !== null && !Array.isArray(args) && 'iterable' in args;
}

/** Parses an expression; throws when it is not CEL. */
export function compile(expression: string, optionalOld = false): ParseResult {
  const known = optionalOld ? optionalPrograms : programs;
  let program = known.get(expression);
  if (program === undefined) {
    program = (optionalOld ? optionalEnvironment : environment).parse(expression);
    useGoPatterns(program.ast);
    asGoReads(program.ast);
    countEvaluation(program.ast);
    if (known.size >= MAX_PROGRAMS) known.clear();
    known.set(expression, program);
  }
  return program;
}

/** Evaluates, within a limit of what it costs; errors carry CEL's words. */
export function evaluate(expression: string, context: Record<string, unknown>, optionalOld = false): unknown {
  try {
    const program = compile(expression, optionalOld);
    return withinCallLimit((): unknown => program(context));
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
  if (/int\(\) type error|cannot convert to int/i.test(text))
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
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const property = memberOf(schema?.properties, key);
    const names = property === undefined ? [key] : fieldNames(key);
    const inside = toCel(item, property ?? values);
    return names.map((name) => [name, inside] as const);
  });
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
