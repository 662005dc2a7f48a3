/**
 * `has(owner.field)`: the owner may be any expression, as in cel-go; the library knows only fields of fields of a
 * variable. The field must be one that the owner's type has.
 */
import type { Checker, Evaluator, Node, Scope, Type } from './macro.ts';

/** A call of a macro in a parsed expression. */
interface MacroCall extends Node {
  setMeta(name: 'macro', macro: object): unknown;
}

/** To be called for every node of an expression before it is checked. */
export function readPresence(node: Node): void {
  if (node.op !== 'call' || !Array.isArray(node.args) || node.args[0] !== 'has' || !('setMeta' in node))
    return;
  const [, args]: readonly unknown[] = node.args;
  const [field]: readonly Node[] = Array.isArray(args) ? args : [];
  if (field !== undefined) (node as MacroCall).setMeta('macro', presence(field));
}

function presence(field: Node): object {
  const [owner, name] = Array.isArray(field.args) ? (field.args as [Node, unknown]) : [field, undefined];
  return {
    typeCheck(checker: Checker, _: unknown, scope: Scope): Type {
      if (field.op !== '.')
        throw checker.createError('invalid_macro_argument', 'has() invalid argument', field);
      checker.check(field, scope);
      return checker.getType('bool');
    },
    evaluate(evaluator: Evaluator, _: unknown, scope: Scope): boolean {
      const value = evaluator.run(owner, scope);
      return evaluator.debugType(value).fieldLazy(value, String(name), field, evaluator) !== undefined;
    },
  };
}
