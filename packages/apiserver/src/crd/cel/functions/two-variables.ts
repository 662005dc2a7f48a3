/**
 * Macros over the keys and values of a map, or the places and items of a list:
 * `m.all(key, value, …)`, `exists`, `existsOne`, `transformList`, `transformMap`, `transformMapEntry`.
 */
import type { Environment } from '@marcbachmann/cel-js';
import { spend } from '../cel-budget.ts';
import { declaring } from './declare.ts';
import {
  type Call,
  type Checker,
  type Evaluator,
  nameOf,
  type Node,
  type Scope,
  type Type,
} from './macro.ts';

/** One pass: what the rest of the macro comes to for a key and its value. */
type Entry = readonly [key: unknown, value: unknown, results: readonly unknown[]];

/** How passes become the result. Lazy, so that what is not needed is not evaluated. */
type Collect = (entries: Iterable<Entry>) => unknown;
type TypeOf = (checker: Checker, key: Type, bodies: readonly Type[]) => Type;

const bool: TypeOf = (checker) => checker.getType('bool');

function macro(collect: Collect, typeOf: TypeOf): (call: Call) => object {
  return ({ args: [key, value, ...bodies], receiver }) => {
    const names = [nameOf(key), nameOf(value)] as const;
    const scopes = { types: undefined as readonly [Type, Type] | undefined };
    return {
      typeCheck(checker: Checker, _: unknown, scope: Scope): Type {
        scopes.types = rangeTypes(checker, receiver, scope);
        const [keyType, valueType] = scopes.types;
        const inside = scope.forkWithVariable(names[0], keyType).forkWithVariable(names[1], valueType);
        return typeOf(
          checker,
          keyType,
          bodies.map((body) => checker.check(body, inside)),
        );
      },
      evaluate(evaluator: Evaluator, _: unknown, scope: Scope): unknown {
        const [keyType, valueType] = scopes.types ?? [];
        if (keyType === undefined || valueType === undefined)
          throw new Error('an expression was not checked');
        const range = evaluator.run(receiver, scope);
        function* passes(): Generator<Entry> {
          for (const [k, v] of entriesOf(range)) {
            spend(1);
            const inside = scope
              .forkWithVariable(names[0], keyType as Type)
              .setIterValue(k, evaluator)
              .forkWithVariable(names[1], valueType as Type)
              .setIterValue(v, evaluator);
            yield [k, v, lazily(bodies, (body) => evaluator.run(body, inside))];
          }
        }
        return collect(passes());
      },
    };
  };
}

function rangeTypes(checker: Checker, receiver: Node, scope: Scope): readonly [Type, Type] {
  const range = checker.check(receiver, scope);
  const anything = checker.getType('dyn');
  if (range.kind === 'dyn') return [anything, anything];
  if (range.kind === 'list') return [checker.getType('int'), range.valueType ?? anything];
  if (range.kind === 'map') return [range.keyType ?? anything, range.valueType ?? anything];
  throw checker.createError('invalid_comprehension_range', 'not a list or a map', receiver);
}

function entriesOf(range: unknown): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(range)) return range.map((item: unknown, i) => [BigInt(i), item] as const);
  if (range instanceof Map) return range;
  return typeof range === 'object' && range !== null ? Object.entries(range) : [];
}

/** Bodies that are evaluated when they are looked at, and once. */
function lazily(bodies: readonly Node[], run: (body: Node) => unknown): readonly unknown[] {
  const results: unknown[] = [];
  for (const [i, body] of bodies.entries()) {
    let known: { readonly value: unknown } | undefined;
    Object.defineProperty(results, i, { get: () => (known ??= { value: run(body) }).value });
  }
  return results;
}

function count(entries: Iterable<Entry>): number {
  let found = 0;
  for (const [, , results] of entries) if (results[0] === true) found += 1;
  return found;
}

function some(entries: Iterable<Entry>, wanted: boolean): boolean {
  for (const [, , results] of entries) if (results[0] === wanted) return true;
  return false;
}

/** With a filter, that is the first of two bodies. */
function transformed(entries: Iterable<Entry>, isFiltered: boolean): [unknown, unknown][] {
  const made: [unknown, unknown][] = [];
  for (const [key, , results] of entries)
    if (!isFiltered || results[0] === true) made.push([key, results[isFiltered ? 1 : 0]]);
  return made;
}

function mapOf(entries: readonly (readonly [unknown, unknown])[]): unknown {
  const isPlain = entries.every(([key]) => typeof key === 'string');
  return isPlain ? Object.fromEntries(entries as [string, unknown][]) : new Map(entries);
}

export function declareTwoVariables(env: Environment): void {
  const f = declaring(env);
  const declare = (signature: string, expand: (call: Call) => object): void => f(signature, expand as never);
  declare(
    'list.all(ast, ast, ast): bool',
    macro((entries) => !some(entries, false), bool),
  );
  declare(
    'list.exists(ast, ast, ast): bool',
    macro((entries) => some(entries, true), bool),
  );
  for (const name of ['existsOne', 'exists_one'])
    declare(
      `list.${name}(ast, ast, ast): bool`,
      macro((entries) => count(entries) === 1, bool),
    );
  for (const isFiltered of [false, true]) {
    const bodies = isFiltered ? 'ast, ast' : 'ast';
    const last = (types: readonly Type[], checker: Checker): Type => types.at(-1) ?? checker.getType('dyn');
    declare(
      `list.transformList(ast, ast, ${bodies}): list<dyn>`,
      macro(
        (entries) => transformed(entries, isFiltered).map(([, value]) => value),
        (checker, _key, types) => checker.registry.getListType(last(types, checker)),
      ),
    );
    declare(
      `list.transformMap(ast, ast, ${bodies}): map<dyn, dyn>`,
      macro(
        (entries) => mapOf(transformed(entries, isFiltered)),
        (checker, key, types) => checker.registry.getMapType(key, last(types, checker)),
      ),
    );
    declare(
      `list.transformMapEntry(ast, ast, ${bodies}): map<dyn, dyn>`,
      macro(
        (entries) => mapOf(transformed(entries, isFiltered).flatMap(([, map]) => [...entriesOf(map)])),
        (checker, _key, types) => last(types, checker),
      ),
    );
  }
}
