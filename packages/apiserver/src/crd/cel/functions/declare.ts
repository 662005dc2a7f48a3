/** How functions of Kubernetes' libraries are declared to the CEL library. */
import type { Environment } from '@marcbachmann/cel-js';

/** `receiver.name(types): type`, and what it does. Whole numbers are BigInt. */
export type Declare = (signature: string, handler: (...args: never[]) => unknown) => void;

export function declaring(env: Environment): Declare {
  return (signature, handler) =>
    void env.registerFunction(signature, handler as (...args: unknown[]) => unknown);
}

/** Functions whose name has a dot, such as `sets.contains(a, b)`: methods of a constant. */
export function namespace(
  env: Environment,
  name: string,
  functions: Readonly<Record<string, (...args: never[]) => unknown>>,
): void {
  const type = `namespace.${name}`;
  // The library tells types apart by their classes.
  class Namespace {
    readonly name = name;
  }
  env.registerType(type, Namespace).registerConstant(name, type, new Namespace());
  for (const [signature, handler] of Object.entries(functions))
    env.registerFunction(`${type}.${signature}`, ((_: unknown, ...args: never[]) =>
      handler(...args)) as never);
}
