/**
 * How much a CEL rule may cost at worst, from the sizes that the schema allows. The units and limits are those of the
 * real server; the estimate is coarser, so that only rules far beyond the limit are refused: a good rule that is
 * turned away would be worse than a dear one that is let in. Pure.
 */
import { at, arrayAt, asString, isObject, type JsonObject, stringAt } from '../../wire/json.ts';

/** No object is larger than a request. */
const REQUEST_BYTES = 3 * 1024 * 1024;
const RULE_LIMIT = 10_000_000;
const TOTAL_LIMIT = 100_000_000;
/** Times the limit from which on we are sure. */
const SURE = 100;
/** How many of the dearest rules are named when all together cost too much. */
const NAMED = 4;
const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
const ITERATIONS = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);
const SEARCHES = new Set(['contains', 'startsWith', 'endsWith', 'find', 'findAll', 'replace', 'split']);
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** A node of a parsed expression. */
export interface CelNode {
  readonly op: string;
  readonly args: unknown;
}

export interface RuleCost {
  readonly path: string;
  readonly cost: number;
}

/** What one evaluation costs; `self` and `oldSelf` have the type of the schema. */
export function expressionCost(root: CelNode, schema: JsonObject): number {
  const scope = new Map<string, JsonObject | undefined>([
    ['self', schema],
    ['oldSelf', schema],
  ]);
  return costOf(root, scope);
}

type Scope = ReadonlyMap<string, JsonObject | undefined>;

function costOf(node: CelNode, scope: Scope): number {
  const { op } = node;
  const parts = partsOf(node);
  if (op === 'value') return 0;
  if (op === 'id') return 1;
  if (op === 'rcall' && ITERATIONS.has(String(listOf(node.args)[0]))) return iteration(node, scope);
  const inner = parts.reduce((sum, part) => sum + costOf(part, scope), 0);
  if (COMPARISONS.has(op)) {
    const sizes = parts.map((part) => sizeOf(part, scope));
    return inner + Math.max(1, Math.min(...sizes) * PER_CHARACTER);
  }
  if (op !== 'rcall') return inner + 1;
  const [name, target, args] = listOf(node.args);
  const text = isNode(target) ? sizeOf(target, scope) : 1;
  if (name === 'matches' || name === 'matchesPattern') {
    const [pattern] = listOf(args);
    const length = isNode(pattern) ? sizeOf(pattern, scope) : 1;
    return inner + text * PER_CHARACTER * Math.max(1, length * PER_PATTERN_CHARACTER);
  }
  return inner + (SEARCHES.has(String(name)) ? Math.max(1, text * PER_CHARACTER) : 1);
}

function iteration(node: CelNode, scope: Scope): number {
  const [, target, args] = listOf(node.args);
  const [variable, ...bodies] = listOf(args).filter(isNode);
  if (!isNode(target) || variable === undefined) return 1;
  const list = schemaOf(target, scope);
  const inside = new Map(scope);
  inside.set(String(variable.args), elementOf(list));
  const each = bodies.reduce((sum, body) => sum + costOf(body, inside), 2);
  return costOf(target, scope) + (list === undefined ? 1 : maxSize(list)) * each;
}

/** Characters of a text, or items of a list; 1 where it is a number or not known. */
function sizeOf(node: CelNode, scope: Scope): number {
  if (node.op === 'value') return typeof node.args === 'string' ? node.args.length : 1;
  const schema = schemaOf(node, scope);
  return schema === undefined ? 1 : maxSize(schema);
}

function schemaOf({ op, args }: CelNode, scope: Scope): JsonObject | undefined {
  if (op === 'id') return scope.get(String(args));
  const [base, key] = listOf(args);
  if (!isNode(base) || (op !== '.' && op !== '[]')) return undefined;
  const schema = schemaOf(base, scope);
  if (schema === undefined) return undefined;
  const property = op === '.' ? at(schema, 'properties', String(key)) : undefined;
  return isObject(property) ? property : elementOf(schema);
}

function elementOf(schema: JsonObject | undefined): JsonObject | undefined {
  const element = schema?.['items'] ?? schema?.['additionalProperties'];
  return isObject(element) ? element : undefined;
}

/** The most characters, items or entries that the schema lets a value have. */
export function maxSize(schema: JsonObject): number {
  const fitting = (bytesEach: number): number => Math.floor((REQUEST_BYTES - 2) / bytesEach);
  switch (stringAt(schema, 'type')) {
    case 'string': {
      if (typeof schema['maxLength'] === 'number') return schema['maxLength'];
      const values = arrayAt(schema, 'enum').map((value) => asString(value).length);
      if (values.length > 0) return Math.max(...values);
      return stringAt(schema, 'format') === '' ? REQUEST_BYTES : 64;
    }
    case 'array':
      return typeof schema['maxItems'] === 'number'
        ? schema['maxItems']
        : fitting(minBytes(elementOf(schema)) + 1);
    case 'object':
      if (elementOf(schema) === undefined) return 1;
      return typeof schema['maxProperties'] === 'number'
        ? schema['maxProperties']
        : fitting(minBytes(elementOf(schema)) + 6);
    default:
      return 1;
  }
}

/** The fewest bytes that a value of the schema takes in a request. */
function minBytes(schema: JsonObject | undefined): number {
  const type = stringAt(schema, 'type');
  if (type === 'boolean') return 4;
  if (type !== 'object') return type === 'integer' || type === 'number' ? 1 : 2;
  return arrayAt(schema, 'required')
    .map(asString)
    .reduce((sum, name) => {
      const child = at(schema, 'properties', name);
      return sum + name.length + 4 + minBytes(isObject(child) ? child : undefined);
    }, 2);
}

function isNode(value: unknown): value is CelNode {
  return typeof value === 'object' && value !== null && 'op' in value && typeof value.op === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function partsOf({ args }: CelNode): CelNode[] {
  return (Array.isArray(args) ? args.flat(2) : [args]).filter(isNode);
}

const HELP =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

/** The text for a cost beyond its limit. */
function beyond(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown =
    factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} ${HELP}`;
}

/** Undefined when the rule is not surely too dear. */
export function ruleCostProblem({ cost }: RuleCost): string | undefined {
  return cost > RULE_LIMIT * SURE ? beyond('estimated rule cost', cost, RULE_LIMIT) : undefined;
}

/** What is said of all rules together; undefined when no rule alone is surely too dear. */
export function totalCostProblem(
  costs: readonly RuleCost[],
): { readonly contributed: readonly string[]; readonly total: string } | undefined {
  if (costs.every((cost) => ruleCostProblem(cost) === undefined)) return undefined;
  const sum = costs.reduce((total, { cost }) => total + cost, 0);
  const dearest = costs.toSorted((a, b) => b.cost - a.cost).slice(0, NAMED);
  return {
    contributed: dearest.map(({ path }) => path),
    total: beyond(
      'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
      sum,
      TOTAL_LIMIT,
    ),
  };
}
