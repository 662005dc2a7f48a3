/** CEL conditions of a webhook: all must hold for the call to be made. */
import { Environment, EvaluationError } from '@marcbachmann/cel-js';
import { messageOf } from '@podvisor/base';
import type { Json, JsonObject } from '../../wire/json.ts';

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

/**
 * What conditions may speak of. Each part becomes CEL values when a condition asks for it: most ask who it was, and
 * an object can be large.
 */
export function conditionVariables(request: JsonObject): Readonly<Record<string, unknown>> {
  const { object, oldObject, ...rest } = request;
  const objects = { object, oldObject };
  return whenAsked({
    object: () => celValue(object),
    oldObject: () => celValue(oldObject),
    request: () =>
      whenAsked(
        Object.fromEntries(
          Object.entries({ ...rest, ...objects }).map(([key, value]) => [key, () => celValue(value)]),
        ),
      ),
  });
}

/** An object whose members are made at the first look at them, and then stay. */
function whenAsked(members: Readonly<Record<string, () => unknown>>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [key, make] of Object.entries(members))
    Object.defineProperty(made, key, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = make();
        Object.defineProperty(made, key, { value, enumerable: true });
        return value;
      },
    });
  return made;
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
