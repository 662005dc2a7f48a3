/** Optional values: what Kubernetes' CEL has of them beyond the library, and what may be compared with null. */
import { deepEqual } from '@podvisor/base';
import type { Environment } from '@marcbachmann/cel-js';
import { declaring } from './declare.ts';
import { type Call, type Checker, type Evaluator, nameOf, type Scope, type Type } from './macro.ts';

interface Optional {
  hasValue(): boolean;
  value(): unknown;
}
type Optionals = { of(value: unknown): Optional };

/** Types of the libraries that may be compared with null, as cel-go allows; values of others never are null. */
const NULLABLE = [
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  'kubernetes.Quantity',
  'kubernetes.URL',
  'net.IP',
  'net.CIDR',
  'optional',
];

/** `optional.optMap(name, body)` wraps what the body comes to; the body of `optFlatMap` is an optional itself. */
function withValue(
  none: Optional,
  wrap: (value: unknown) => unknown,
  isFlat: boolean,
): (call: Call) => object {
  return ({ args: [variable, body], receiver }) => {
    const name = nameOf(variable);
    let inside: Type | undefined;
    return {
      typeCheck(checker: Checker, _: unknown, scope: Scope): Type {
        const type = checker.check(receiver, scope);
        inside = type.valueType ?? checker.getType('dyn');
        const result =
          body === undefined ? inside : checker.check(body, scope.forkWithVariable(name, inside));
        return isFlat ? result : checker.registry.getOptionalType(result);
      },
      evaluate(evaluator: Evaluator, _: unknown, scope: Scope): unknown {
        const optional = evaluator.run(receiver, scope) as Optional;
        if (!optional.hasValue() || inside === undefined || body === undefined) return none;
        const value = scope.forkWithVariable(name, inside).setIterValue(optional.value(), evaluator);
        return wrap(evaluator.run(body, value));
      },
    };
  };
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map || value instanceof Set) return value.size === 0;
  if (typeof value === 'object' && value !== null)
    return Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0;
  return value === null || value === '' || value === false || Number(value) === 0;
}

function equal(a: Optional, b: Optional): boolean {
  if (!a.hasValue() || !b.hasValue()) return a.hasValue() === b.hasValue();
  return deepEqual(a.value(), b.value());
}

export function declareOptionals(env: Environment): void {
  const f = declaring(env);
  const none = env.evaluate('optional.none()') as Optional;
  const { of } = none.constructor as unknown as Optionals;
  const declare = (signature: string, expand: (call: Call) => object): void => f(signature, expand as never);
  declare('optional.optMap(ast, ast): optional<dyn>', withValue(none, of, false));
  declare(
    'optional.optFlatMap(ast, ast): optional<dyn>',
    withValue(none, (value) => value, true),
  );
  f('OptionalNamespace.ofNonZeroValue(A): optional<A>', (_: unknown, value: unknown) =>
    isZero(value) ? none : of(value),
  );
  env.registerOperator('optional == optional', equal);
  for (const type of NULLABLE) env.registerOperator(`${type} == null`, () => false);
}
