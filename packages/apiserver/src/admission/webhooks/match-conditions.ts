/** CEL conditions of a webhook: all must hold for the call to be made. */
import { Environment, EvaluationError } from '@marcbachmann/cel-js';
import { messageOf } from '@podvisor/base';
import type { Json } from '../../wire/json.ts';

export interface Condition {
  readonly name: string;
  readonly expression: string;
  /** Throws with CEL's message when the expression cannot be evaluated. */
  holds(variables: Readonly<Record<string, unknown>>): boolean;
}

const environment = new Environment({ unlistedVariablesAreDyn: true });

export function compileCondition(name: string, expression: string): Condition {
  let program: ReturnType<typeof environment.parse> | undefined;
  return {
    name,
    expression,
    holds: (variables) => {
      program ??= environment.parse(expression);
      try {
        return program(variables) === true;
      } catch (error) {
        // The first line is the problem; the rest draws the place in the expression.
        const [line = ''] = messageOf(error).split('\n');
        const text = error instanceof EvaluationError ? line.replace(/^No such key/, 'no such key') : line;
        throw new Error(text, { cause: error });
      }
    },
  };
}

/** JSON as CEL sees it: whole numbers are int. */
export function celValue(value: Json | undefined): unknown {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, celValue(item)]),
    );
  return value ?? null;
}
