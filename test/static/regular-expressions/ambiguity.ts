/**
 * Whether an expression can be read in more ways the longer its text is, so that JavaScript's engine, which tries one
 * after the other, takes time that doubles with every few characters. That is so when a state of its automaton comes back to
 * itself by two ways over the same characters (exponential ambiguity: Weber and Seidl 1991). Anchors are taken to hold.
 * Pure.
 */
import { parsePattern } from '../../../packages/apiserver/src/crd/pattern/parse-pattern.ts';
import {
  compilePattern,
  type Instruction,
} from '../../../packages/apiserver/src/crd/pattern/pattern-program.ts';

/** Characters by which two classes are held to meet. */
const SAMPLES: readonly number[] = [
  ...Array.from({ length: 0x80 }, (_, point) => point),
  ...['é', '\u00a0', 'Ω', '語', '😀'].map((character) => character.codePointAt(0) ?? 0),
];
/** Beyond it the product of the automaton with itself is too large; none of ours comes near. */
const MAX_STATES = 400;

/** Where a state goes: to which, and by how many ways. */
type Edges = ReadonlyMap<number, number>;

/** @throws for an expression that is not Go's, or is too large */
export function isAmbiguous(source: string): boolean {
  const program = compilePattern(source, parsePattern(source));
  const states = program.flatMap((instruction, at) =>
    instruction.kind === 'character' || instruction.kind === 'class' ? [at] : [],
  );
  if (states.length > MAX_STATES) throw new Error(`${states.length} states`);
  const edges = new Map(states.map((state) => [state, reached(program, state + 1)] as const));
  const accepted = new Map(
    states.map((state) => [state, new Set(SAMPLES.filter((point) => takes(program[state], point)))] as const),
  );
  const within = (state: number): Edges => edges.get(state) ?? new Map();
  const alone = components(states, (state) => [...within(state).keys()]);
  for (const state of states)
    for (const [next, ways] of within(state))
      if (ways > 1 && alone.get(state) === alone.get(next)) return true;
  // Pairs of states that the same text leads to.
  const meets = (a: number, b: number): boolean => {
    const others = accepted.get(b);
    return [...(accepted.get(a) ?? [])].some((point) => others?.has(point) === true);
  };
  const size = program.length;
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

function takes(instruction: Instruction | undefined, point: number): boolean {
  if (instruction?.kind === 'character') return instruction.point === point;
  return instruction?.kind === 'class' && instruction.set.has(point);
}

/** States that are reached without a character, with the number of ways; a way passes each choice once at most. */
function reached(program: readonly Instruction[], from: number): Edges {
  const found = new Map<number, number>();
  const walk = (at: number, passed: ReadonlySet<number>): void => {
    const instruction = program[at];
    if (instruction === undefined || instruction.kind === 'match' || passed.has(at)) return;
    if (instruction.kind === 'character' || instruction.kind === 'class') {
      found.set(at, Math.min(2, (found.get(at) ?? 0) + 1));
      return;
    }
    const after = new Set(passed).add(at);
    if (instruction.kind === 'jump') walk(instruction.to, after);
    else if (instruction.kind === 'place') walk(at + 1, after);
    else for (const next of [instruction.first, instruction.second]) walk(next, after);
  };
  walk(from, new Set());
  return found;
}

/** The strongly connected component of each node that is reached (Tarjan), without recursion. */
function components(
  roots: readonly number[],
  followers: (node: number) => readonly number[],
): ReadonlyMap<number, number> {
  const [order, low, found] = [
    new Map<number, number>(),
    new Map<number, number>(),
    new Map<number, number>(),
  ];
  const open: number[] = [];
  for (const root of roots) {
    if (order.has(root)) continue;
    const path: { readonly node: number; readonly rest: readonly number[]; at: number }[] = [];
    const enter = (node: number): void => {
      order.set(node, order.size);
      low.set(node, order.get(node) ?? 0);
      open.push(node);
      path.push({ node, rest: followers(node), at: 0 });
    };
    enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { node } = step;
      const next = step.rest[step.at];
      if (next !== undefined) {
        step.at += 1;
        if (!order.has(next)) enter(next);
        else if (!found.has(next)) low.set(node, Math.min(low.get(node) ?? 0, order.get(next) ?? 0));
        continue;
      }
      path.pop();
      const above = path.at(-1)?.node;
      if (above !== undefined) low.set(above, Math.min(low.get(above) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== order.get(node)) continue;
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        found.set(last, node);
        if (last === node) break;
      }
    }
  }
  return found;
}
