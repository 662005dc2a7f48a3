/**
 * Named places where a test may stop or end a process: the borders at which a component has done a thing and not
 * yet written it down, or the other way round. A hook that a test puts into the process before it starts
 * (`test/support/fail-points`) is asked at each; without one, nothing happens.
 */

/** Asked with `<what>-before` and `<what>-after`; may wait, throw, or never return. */
export type FailPointHook = (point: string) => Promise<void>;

/** Where the hook is looked for: bundles of several programs share nothing else. */
const HOOK = Symbol.for('podvisor.fail-points');

/** Whether anybody asks at all: the names of points need not be made otherwise. */
export function hasFailPoints(): boolean {
  return (globalThis as { readonly [HOOK]?: FailPointHook })[HOOK] !== undefined;
}

/** Does the work between its two points. */
export async function betweenFailPoints<T>(what: string, work: () => Promise<T>): Promise<T> {
  const hook = (globalThis as { readonly [HOOK]?: FailPointHook })[HOOK];
  if (hook === undefined) return work();
  await hook(`${what}-before`);
  const result = await work();
  await hook(`${what}-after`);
  return result;
}
