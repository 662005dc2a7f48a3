/**
 * Makes the nodes of a parsed expression count what they do (`cel-budget.ts`): the CEL library itself counts nothing.
 * Counted are each pass of a macro, and what comparisons, `in` and functions are given.
 */
import { spend, spendSize } from './cel-budget.ts';

/** A node as the CEL library has it; `meta.alternate` is what a macro was turned into. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly meta?: { readonly alternate?: unknown };
  evaluate: Evaluate;
}
type Evaluate = (this: Node, evaluator: unknown, node: Node, scope: unknown) => unknown;

const OPERANDS_COUNT = new Set(['in', '==', '!=', 'call', 'rcall']);

export function countEvaluation(root: unknown, seen = new Set<unknown>()): void {
  if (Array.isArray(root)) {
    for (const part of root) countEvaluation(part, seen);
    return;
  }
  if (!isNode(root) || seen.has(root)) return;
  seen.add(root);
  const { alternate } = root.meta ?? {};
  if (isNode(alternate)) {
    countEvaluation(alternate, seen);
    return;
  }
  if (isComprehension(root.args)) {
    const { iterable, step, init } = root.args;
    for (const part of [iterable, step, init]) countEvaluation(part, seen);
    // Before it, so that nothing more is done for the passes that come after the last one that could be paid.
    if (isNode(step)) around(step, () => spend(1), undefined);
    return;
  }
  if (OPERANDS_COUNT.has(root.op))
    for (const operand of operands(root.args)) around(operand, undefined, spendSize);
  countEvaluation(root.args, seen);
}

/** Does something before a node is evaluated, and with its result. The library puts other functions in `evaluate`. */
function around(
  node: Node,
  before: (() => void) | undefined,
  after: ((result: unknown) => void) | undefined,
): void {
  let { evaluate } = node;
  const counting: Evaluate = (evaluator, ast, scope) => {
    before?.();
    const result = evaluate.call(node, evaluator, ast, scope);
    after?.(result);
    return result;
  };
  Object.defineProperty(node, 'evaluate', {
    get: () => counting,
    set: (next: Evaluate) => {
      evaluate = next;
    },
    configurable: true,
  });
}

function operands(args: unknown): readonly Node[] {
  if (isNode(args)) return [args];
  return Array.isArray(args) ? args.flatMap(operands) : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'evaluate' in value;
}

function isComprehension(
  args: unknown,
): args is { readonly iterable: unknown; readonly step: unknown; readonly init: unknown } {
  return (
    typeof args === 'object' && args !== null && !Array.isArray(args) && 'iterable' in args && 'step' in args
  );
}
