/** Ends an exhaustive `switch`: the compiler refuses a forgotten case, the run refuses an unknown one. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
