/**
 * Whether JavaScript's engine may take time that grows with more than the length of a text: something that repeats can
 * give its characters to something else that repeats and comes later, so that all borders between the two are tried
 * (infinite ambiguity: Weber and Seidl 1991). An expression that is searched for and not held against the beginning of
 * a text can begin anywhere, which is such a repetition, too. Where the later one is the end of it all, and nothing has to
 * hold after it, the first way is taken and no other is tried. Pure.
 */
import { type Automaton, automatonOf, components } from './automaton.ts';

/** @throws for an expression that is not Go's, or is too large */
export function growsFast(source: string): boolean {
  const automaton = automatonOf(source, true);
  const { states, edges } = automaton;
  const next = (state: number): readonly number[] => [...(edges.get(state)?.keys() ?? [])];
  const loopOf = components(states, next);
  const members = Map.groupBy(states, (state) => loopOf.get(state) ?? -1);
  const loops = [...members.values()].filter(
    ([first = -1, ...others]) => others.length > 0 || next(first).includes(first),
  );
  return loops.some((first) =>
    loops.some(
      (second) =>
        first !== second &&
        !second.some((state) => automaton.accepting.has(state)) &&
        handsOver(automaton, first, second),
    ),
  );
}

/** Whether a text leads from a state of the first loop to itself, from one of the second to itself, and from that one to this one. */
function handsOver(
  { edges, takes, size }: Automaton,
  first: readonly number[],
  second: readonly number[],
): boolean {
  const of = (state: number, within?: readonly number[]): readonly number[] =>
    [...(edges.get(state)?.keys() ?? [])].filter((to) => within?.includes(to) !== false);
  const mask = (state: number): bigint => takes.get(state) ?? 0n;
  for (const from of first)
    for (const to of second) {
      const goal = (from * size + to) * size + to;
      const begin = (from * size + from) * size + to;
      const seen = new Set([begin]);
      for (const triple of seen) {
        const [a, b, c] = [Math.floor(triple / size / size), Math.floor(triple / size) % size, triple % size];
        if ((mask(a) & mask(b) & mask(c)) === 0n) continue;
        for (const x of of(a, first))
          for (const y of of(b)) for (const z of of(c, second)) seen.add((x * size + y) * size + z);
      }
      if (seen.has(goal)) return true;
    }
  return false;
}
