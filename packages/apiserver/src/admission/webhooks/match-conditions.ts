/** CEL conditions of a webhook: all must hold for the call to be made. */
import { evaluate } from '../../crd/cel/cel.ts';

export interface Condition {
  readonly name: string;
  readonly expression: string;
  /** Throws with CEL's message when the expression cannot be evaluated. */
  holds(variables: Record<string, unknown>): boolean;
}

export function matchCondition(name: string, expression: string): Condition {
  return { name, expression, holds: (variables) => evaluate(expression, variables) === true };
}
