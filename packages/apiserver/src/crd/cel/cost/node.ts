/** Parsed and checked expressions as the estimator of costs sees them, and where their values come from. Pure. */
import type { CheckedType } from '../go-types.ts';
import type { Operand } from './call-cost.ts';
import { exactly, type Size, upTo } from './size.ts';
import type { SizedType } from './sized-type.ts';

/** A node of a parsed and checked expression. */
export interface CelNode {
  readonly op: string;
  readonly args: unknown;
  readonly checkedType?: CheckedType;
}

/** From a variable to a part of it. Sizes are looked up by it, from the type of `self`. */
export type Path = readonly string[];

/** Sizes of what a list or map that was made by the expression holds. */
export interface Entries {
  readonly keys: Size;
  readonly values: Size;
}

export interface Estimate extends Operand {
  readonly cost: number;
  readonly path: Path | undefined;
  readonly entries?: Entries | undefined;
}

export type Estimator = (node: CelNode, scope: Scope) => Estimate;

/** A variable of a macro. */
export interface Local {
  readonly path: Path | undefined;
  readonly size: Size | undefined;
}

export interface Scope {
  readonly self: SizedType;
  readonly locals: ReadonlyMap<string, Local>;
}

const SCALARS = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

/** The size that the schema, or else the type, gives to a value. */
export function sizeAt(
  path: Path | undefined,
  type: CheckedType | undefined,
  { self }: Scope,
): Size | undefined {
  const known = path === undefined ? undefined : typeAt(path, self);
  if (known !== undefined) return upTo(known.most);
  const inner = type?.kind === 'optional' ? type.valueType : type;
  return SCALARS.has(inner?.name ?? '') ? exactly(1) : undefined;
}

/** The variable itself is not looked at: every path is taken from `self`, as Kubernetes does. */
function typeAt([, ...steps]: Path, self: SizedType): SizedType | undefined {
  return steps.reduce<SizedType | undefined>((type, step) => {
    if (step === '@items' || step === '@values') return type?.element;
    return step === '@keys' ? type?.keys : type?.fields?.get(step);
  }, self);
}

/** What an expression comes to that is not a part of `self`. */
export function result(cost: number, type: CheckedType | undefined, size: Size | undefined): Estimate {
  return { cost, path: undefined, size, type, items: undefined };
}

export function isNode(value: unknown): value is CelNode {
  return typeof value === 'object' && value !== null && 'op' in value && typeof value.op === 'string';
}

export function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Operands of an operator, or arguments of a call. A single operand stands alone. */
export function nodesOf(args: unknown): CelNode[] {
  return (Array.isArray(args) ? args : [args]).filter(isNode);
}
