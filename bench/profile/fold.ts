/** A CPU profile as a tree of calls with their times, and its largest single costs. Pure. */
import type { CpuProfile, ProfileNode } from './cpu-profile.ts';

export interface Call {
  readonly name: string;
  /** Milliseconds in it and all that it calls. */
  readonly total: number;
  readonly self: number;
  readonly calls: readonly Call[];
}

/** Where a function of a bundle comes from. Lines count from 0. */
export type SourceOf = (url: string, line: number) => string;

const NOT_WORK = new Set(['(idle)', '(program)', '(root)']);

/** The calls of a profile below one root; time in which nothing ran is left out. */
export function foldProfile(name: string, profile: CpuProfile, sourceOf: SourceOf): Call {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const micros = new Map<number, number>();
  profile.samples.forEach((id, i) => {
    micros.set(id, (micros.get(id) ?? 0) + (profile.timeDeltas[i + 1] ?? 0));
  });
  const fold = (called: string, nodes: readonly ProfileNode[]): Call => {
    const children = nodes.flatMap(({ children: ids = [] }) => ids.flatMap((id) => byId.get(id) ?? []));
    const working = children.filter(({ callFrame }) => !NOT_WORK.has(callFrame.functionName));
    const calls = [...Map.groupBy(working, (node) => nameOf(node, sourceOf))]
      .map(([key, same]) => fold(key, same))
      .filter(({ total }) => total > 0)
      .toSorted((a, b) => b.total - a.total);
    const isRoot = nodes.some(({ callFrame }) => NOT_WORK.has(callFrame.functionName));
    const self = isRoot ? 0 : nodes.reduce((sum, { id }) => sum + (micros.get(id) ?? 0), 0) / 1000;
    return { name: called, self, calls, total: calls.reduce((sum, { total }) => sum + total, self) };
  };
  const root = profile.nodes.filter(({ callFrame }) => callFrame.functionName === '(root)');
  return fold(name, root);
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode, sourceOf: SourceOf): string {
  const source = sourceOf(url, lineNumber);
  const called = functionName === '' ? '(anonymous)' : functionName;
  return source === '' ? called : `${called} ${source}`;
}

export interface Cost {
  readonly name: string;
  readonly amount: number;
}

/** Milliseconds by function in itself, the largest first. */
export function largestSelf(root: Call, count: number): readonly Cost[] {
  const costs = new Map<string, number>();
  const walk = ({ name, self, calls }: Call): void => {
    costs.set(name, (costs.get(name) ?? 0) + self);
    calls.forEach(walk);
  };
  walk(root);
  return largest(costs, count);
}

/** Milliseconds by function with all that it calls, each call of itself counted once. */
export function largestTotal(root: Call, count: number): readonly Cost[] {
  const costs = new Map<string, number>();
  const walk = ({ name, total, calls }: Call, above: ReadonlySet<string>): void => {
    if (!above.has(name)) costs.set(name, (costs.get(name) ?? 0) + total);
    const here = new Set(above).add(name);
    for (const call of calls) walk(call, here);
  };
  for (const call of root.calls) walk(call, new Set());
  return largest(costs, count);
}

function largest(costs: ReadonlyMap<string, number>, count: number): readonly Cost[] {
  return [...costs]
    .map(([name, amount]) => ({ name, amount }))
    .toSorted((a, b) => b.amount - a.amount)
    .slice(0, count);
}
