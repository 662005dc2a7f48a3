/**
 * What one evaluation of an expression costs at most, in the units of CEL's estimator: a name or a field one, a call
 * what its function costs, a macro over a list its body as often as the list may have items. The expression has been
 * checked, so that its parts have types. Pure.
 */
import type { CheckedType } from '../go-types.ts';
import { type CallCost, callCost } from './call-cost.ts';
import { isMacro, macroCost } from './macro-cost.ts';
import {
  type CelNode,
  type Entries,
  type Estimate,
  isNode,
  listed,
  nodesOf,
  type Path,
  result,
  type Scope,
  sizeAt,
} from './node.ts';
import { operatorCost } from './operator-cost.ts';
import { bounded, either, exactly, type Size, UNKNOWN, upTo } from './size.ts';
import type { SizedType } from './sized-type.ts';

const LIST = 10;
const MAP = 30;

/** `self` and `oldSelf` are of the same type. */
export function expressionCost(root: CelNode, self: SizedType): number {
  return estimate(root, { self, locals: new Map() }).cost;
}

function estimate(node: CelNode, scope: Scope): Estimate {
  const { op, args, checkedType: type } = node;
  switch (op) {
    case 'value':
      return { ...result(0, type, literalSize(args)), literal: args };
    case 'id':
      return variable(String(args), type, scope);
    case '.':
      return field(node, scope);
    case 'list':
      return newList(nodesOf(args), type, scope);
    case 'map':
      return newMap(listed(args).map(nodesOf), type, scope);
    case '&&':
    case '||':
      return sum(nodesOf(args), type, scope, 0);
    case '?:':
      return choice(nodesOf(args), type, scope);
    case '[]':
      return item(node, scope);
    case '-_':
      // A number below zero is a literal.
      return isNode(args) && args.op === 'value' ? result(0, type, exactly(1)) : operator(node, scope);
    case 'call':
    case 'rcall':
      return isMacro(node) ? macroCost(node, scope, estimate) : call(node, scope);
    default:
      return operator(node, scope);
  }
}

/** A part of a variable. */
function valueAt(cost: number, path: Path, type: CheckedType | undefined, scope: Scope): Estimate {
  return {
    cost,
    path,
    size: sizeAt(path, type, scope),
    type,
    items: sizeAt([...path, '@items'], undefined, scope),
  };
}

function variable(name: string, type: CheckedType | undefined, scope: Scope): Estimate {
  const local = scope.locals.get(name);
  if (local !== undefined && local.path === undefined) return result(1, type, local.size);
  const found = valueAt(1, local?.path ?? [name], type, scope);
  return { ...found, size: found.size ?? local?.size };
}

function field(node: CelNode, scope: Scope): Estimate {
  const [base, name] = listed(node.args);
  if (!isNode(base)) return result(1, node.checkedType, undefined);
  const owner = estimate(base, scope);
  // What is not known before the rule runs costs nothing here, as in CEL's own estimator.
  const cost = owner.type?.kind === 'map' || owner.type?.kind === 'message' ? 1 : 0;
  return valueAt(owner.cost + cost, [...(owner.path ?? []), String(name)], node.checkedType, scope);
}

function item(node: CelNode, scope: Scope): Estimate {
  const [base, key] = nodesOf(node.args);
  if (base === undefined || key === undefined) return result(1, node.checkedType, undefined);
  const list = estimate(base, scope);
  const cost = list.cost + estimate(key, scope).cost + 1;
  const { kind } = list.type ?? {};
  if (kind !== 'list' && kind !== 'map') return result(cost, node.checkedType, undefined);
  const path = [...(list.path ?? []), kind === 'list' ? '@items' : '@values'];
  const found = valueAt(cost, path, node.checkedType, scope);
  return { ...found, size: list.entries?.values ?? found.size };
}

function newList(nodes: readonly CelNode[], type: CheckedType | undefined, scope: Scope): Estimate {
  const elements = nodes.map((node) => estimate(node, scope));
  const entries = { keys: exactly(1), values: largest(elements) };
  return {
    ...result(total(elements) + LIST, type, exactly(nodes.length)),
    items: entries.values,
    entries,
  };
}

function newMap(
  pairs: readonly (readonly CelNode[])[],
  type: CheckedType | undefined,
  scope: Scope,
): Estimate {
  const column = (place: number): Estimate[] =>
    pairs.flatMap((pair) => pair.slice(place, place + 1)).map((node) => estimate(node, scope));
  const [keys, values] = [column(0), column(1)];
  return {
    ...result(total(keys) + total(values) + MAP, type, exactly(pairs.length)),
    entries: { keys: largest(keys), values: largest(values) },
  };
}

function choice(nodes: readonly CelNode[], type: CheckedType | undefined, scope: Scope): Estimate {
  const [condition, yes, no] = nodes.map((node) => estimate(node, scope));
  if (condition === undefined || yes === undefined || no === undefined) return result(1, type, undefined);
  const size = either(yes.size ?? UNKNOWN, no.size ?? UNKNOWN);
  const entries = joined(yes.entries, no.entries);
  return { ...result(condition.cost + Math.max(yes.cost, no.cost), type, size), entries };
}

function joined(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { keys: either(a.keys, b.keys), values: either(a.values, b.values) };
}

function operator(node: CelNode, scope: Scope): Estimate {
  const [left, right, ...more] = nodesOf(node.args);
  if (left === undefined || right === undefined || more.length > 0)
    return sum(nodesOf(node.args), node.checkedType, scope, 1);
  const [a, b] = [estimate(left, scope), estimate(right, scope)];
  const entries = node.op === '+' ? joined(a.entries, b.entries) : undefined;
  const found = called(operatorCost(node.op, a, b), a.cost + b.cost, node, scope);
  return { ...found, items: entries?.values, entries };
}

function call(node: CelNode, scope: Scope): Estimate {
  const [named, ...parts] = listed(node.args);
  const receiver = node.op === 'rcall' ? parts[0] : undefined;
  const args = nodesOf(node.op === 'rcall' ? parts[1] : parts[0]).map((part) => estimate(part, scope));
  const name = String(named);
  const [first] = args;
  if (name === 'dyn' && first !== undefined)
    return { ...first, cost: first.cost + 1, type: node.checkedType };
  if (!isNode(receiver) || isNamespace(receiver)) {
    const prefix = isNode(receiver) ? `${String(receiver.args)}.` : '';
    return called(callCost(`${prefix}${name}`, undefined, args), total(args), node, scope);
  }
  const target = estimate(receiver, scope);
  const found = called(callCost(name, target, args), target.cost + total(args), node, scope);
  // The library knows no type of what these take from a list.
  if (target.type?.kind !== 'list' || !['sum', 'min', 'max'].includes(name)) return found;
  const type = target.type.valueType;
  return { ...found, type, size: sizeAt(undefined, type, scope) };
}

function called({ cost, size }: CallCost, before: number, node: CelNode, scope: Scope): Estimate {
  const type = node.checkedType;
  return result(bounded(before + cost), type, size ?? sizeAt(undefined, type, scope));
}

/** Functions whose names have a dot are methods of a constant here. */
function isNamespace({ op, checkedType }: CelNode): boolean {
  return op === 'id' && /^namespace\.|Namespace$/.test(checkedType?.name ?? '');
}

function sum(nodes: readonly CelNode[], type: CheckedType | undefined, scope: Scope, more: number): Estimate {
  const cost = bounded(total(nodes.map((node) => estimate(node, scope))) + more);
  return result(cost, type, sizeAt(undefined, type, scope));
}

function total(estimates: readonly Estimate[]): number {
  return bounded(estimates.reduce((all, { cost }) => all + cost, 0));
}

function largest(estimates: readonly Estimate[]): Size {
  return upTo(Math.max(0, ...estimates.map(({ size }) => (size ?? UNKNOWN).most)));
}

function literalSize(value: unknown): Size {
  if (typeof value === 'string') return exactly([...value].length);
  return exactly(value instanceof Uint8Array ? value.length : 1);
}
