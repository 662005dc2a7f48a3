/**
 * What macros cost at most: what they come to for one item, as often as their list or map may have items. A macro
 * stands for a loop with a result that grows (`accumulator && body`); its steps have the costs of that loop. Pure.
 */
import type { CheckedType } from '../go-types.ts';
import {
  type CelNode,
  type Entries,
  type Estimate,
  type Estimator,
  isNode,
  listed,
  type Local,
  nodesOf,
  result,
  type Scope,
  sizeAt,
} from './node.ts';
import { bounded, exactly, type Size, UNKNOWN } from './size.ts';

/** What a loop costs around its bodies. */
interface Loop {
  /** Once: the first value of the result, and reading it at the end. */
  readonly once: number;
  /** For each item, beside the bodies: the condition and the step. */
  readonly each: number;
  /** The result is as large as what is looped over. */
  readonly collects?: 'items' | 'bodies' | 'map';
}

/** A new list costs 10, a new map 30, reading the result 1; see the loops that CEL's macros stand for. */
const LOOPS: Readonly<Record<string, Loop>> = {
  all: { once: 1, each: 3 },
  exists: { once: 1, each: 4 },
  exists_one: { once: 2, each: 2 },
  existsOne: { once: 2, each: 2 },
  filter: { once: 11, each: 13, collects: 'items' },
  map: { once: 11, each: 12, collects: 'bodies' },
  transformList: { once: 11, each: 12, collects: 'bodies' },
  transformMap: { once: 31, each: 3, collects: 'map' },
  transformMapEntry: { once: 31, each: 2, collects: 'map' },
};

/** What finds out whether an optional has a value, takes it and wraps the result. */
const OPTIONALS: Readonly<Record<string, number>> = { optMap: 13, optFlatMap: 12 };

export function isMacro({ op, args }: CelNode): boolean {
  const [name, , more] = listed(args);
  if (op === 'call') return name === 'has';
  if (op !== 'rcall' || typeof name !== 'string') return false;
  return (Object.hasOwn(LOOPS, name) || Object.hasOwn(OPTIONALS, name)) && listed(more).length > 1;
}

export function macroCost(node: CelNode, scope: Scope, estimate: Estimator): Estimate {
  const [name, target, args] = listed(node.args);
  if (node.op === 'call') return presence(nodesOf(target), node.checkedType, scope, estimate);
  if (!isNode(target)) return result(1, node.checkedType, undefined);
  const optional = OPTIONALS[String(name)];
  if (optional !== undefined) return optionalCost(node, target, nodesOf(args), optional, scope, estimate);
  return loopCost(node, LOOPS[String(name)] ?? { once: 1, each: 3 }, target, nodesOf(args), scope, estimate);
}

/** Asking whether a field is there costs what its owner costs. */
function presence(
  fields: readonly CelNode[],
  type: CheckedType | undefined,
  scope: Scope,
  estimate: Estimator,
): Estimate {
  const [owner] = listed(fields[0]?.args);
  const cost = isNode(owner) ? estimate(owner, scope).cost : 0;
  return result(cost, type, exactly(1));
}

function loopCost(
  node: CelNode,
  loop: Loop,
  target: CelNode,
  args: readonly CelNode[],
  scope: Scope,
  estimate: Estimator,
): Estimate {
  const range = estimate(target, scope);
  const bodies = args.filter((arg) => arg.checkedType !== undefined);
  const names = args.slice(0, args.length - bodies.length).map(({ args: name }) => String(name));
  const inside = { ...scope, locals: withVariables(names, range, scope) };
  const estimates = bodies.map((body) => estimate(body, inside));
  const each = loop.each + estimates.reduce((sum, { cost }) => sum + cost, 0);
  const count = range.size ?? UNKNOWN;
  const size = loop.collects === undefined ? sizeAt(undefined, node.checkedType, scope) : count;
  const entries = collected(loop, estimates, inside.locals.get(names[0] ?? ''), scope);
  const cost = bounded(range.cost + loop.once + count.most * each);
  return { ...result(cost, node.checkedType, size), items: entries?.values, entries };
}

function collected(
  { collects }: Loop,
  bodies: readonly Estimate[],
  variable: Local | undefined,
  scope: Scope,
): Entries | undefined {
  if (collects === undefined || collects === 'map') return undefined;
  const item =
    collects === 'items' ? (sizeAt(variable?.path, undefined, scope) ?? variable?.size) : bodies.at(-1)?.size;
  return { keys: exactly(1), values: { least: 0, most: (item ?? UNKNOWN).most } };
}

/** One variable is an item of a list or a key of a map; two are a place or key, and what is there. */
function withVariables(names: readonly string[], range: Estimate, scope: Scope): ReadonlyMap<string, Local> {
  const isList = range.type?.kind === 'list';
  const path = range.path ?? [];
  const variable = (step: string, size: Size | undefined): Local => ({ path: [...path, step], size });
  const values = variable(isList ? '@items' : '@values', range.entries?.values);
  const keys = variable(isList ? '@indices' : '@keys', range.entries?.keys);
  const locals = new Map(scope.locals);
  const [first, second] = names;
  if (first !== undefined) locals.set(first, second === undefined && isList ? values : keys);
  if (second !== undefined) locals.set(second, values);
  return locals;
}

function optionalCost(
  node: CelNode,
  target: CelNode,
  args: readonly CelNode[],
  own: number,
  scope: Scope,
  estimate: Estimator,
): Estimate {
  const optional = estimate(target, scope);
  const [name, body] = args;
  const locals = new Map(scope.locals);
  if (name !== undefined) locals.set(String(name.args), { path: undefined, size: undefined });
  const inside = body === undefined ? 0 : estimate(body, { ...scope, locals }).cost;
  const type = node.checkedType;
  return result(bounded(optional.cost * 2 + own + inside), type, sizeAt(undefined, type, scope));
}
