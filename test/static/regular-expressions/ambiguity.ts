/**
 * Whether an expression can be read in more ways the longer its text is, so that JavaScript's engine, which tries one
 * after the other, takes time that doubles with every few characters. That is so when a state of its automaton comes back to
 * itself by two ways over the same characters (exponential ambiguity: Weber and Seidl 1991). Pure.
 */
import { automatonOf, components, type Edges } from './automaton.ts';

/** @throws for an expression that is not Go's, or is too large */
export function isAmbiguous(source: string): boolean {
  const { states, edges, takes, size } = automatonOf(source);
  const within = (state: number): Edges => edges.get(state) ?? new Map();
  const alone = components(states, (state) => [...within(state).keys()]);
  for (const state of states)
    for (const [next, ways] of within(state))
      if (ways > 1 && alone.get(state) === alone.get(next)) return true;
  // Pairs of states that the same text leads to.
  const meets = (a: number, b: number): boolean => ((takes.get(a) ?? 0n) & (takes.get(b) ?? 0n)) !== 0n;
  const followers = (pair: number): readonly number[] => {
    const [a, b] = [Math.floor(pair / size), pair % size];
    if (!meets(a, b)) return [];
    const targets: number[] = [];
    for (const left of within(a).keys())
      for (const right of within(b).keys()) targets.push(left * size + right);
    return targets;
  };
  const together = components(
    states.map((state) => state * size + state),
    followers,
  );
  const apart = new Set(
    [...together].filter(([pair]) => Math.floor(pair / size) !== pair % size).map(([, id]) => id),
  );
  return states.some((state) => apart.has(together.get(state * size + state) ?? -1));
}
