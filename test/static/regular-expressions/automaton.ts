/**
 * A regular expression as an automaton: states that each take one character, and which may come next. Anchors are taken
 * to hold. Pure.
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
const MAX_STATES = 600;

/** Where a state goes: to which, and by how many ways. */
export type Edges = ReadonlyMap<number, number>;

export interface Automaton {
  readonly states: readonly number[];
  readonly edges: ReadonlyMap<number, Edges>;
  /** What a state takes, a bit for each sample. */
  readonly takes: ReadonlyMap<number, bigint>;
  /** After their character the whole has matched, whatever comes next. */
  readonly accepting: ReadonlySet<number>;
  /** How many numbers states have. */
  readonly size: number;
}

const EVERYTHING = (1n << BigInt(SAMPLES.length)) - 1n;
const NEW_LINE = 1n << BigInt(SAMPLES.indexOf(0x0a));

/**
 * As it is searched for in a text (`search`), a state that takes everything comes before; otherwise it begins where the
 * text does.
 * @throws for an expression that is not Go's, or is too large
 */
export function automatonOf(source: string, search = false): Automaton {
  const program = compilePattern(source, parsePattern(source));
  const states = program.flatMap((instruction, at) =>
    instruction.kind === 'character' || instruction.kind === 'class' ? [at] : [],
  );
  if (states.length > MAX_STATES) throw new Error(`${states.length} states`);
  const after = new Map(states.map((state) => [state, reached(program, state + 1)] as const));
  const edges = new Map([...after].map(([state, { next }]) => [state, next] as const));
  const takes = new Map(states.map((state) => [state, taken(program[state])] as const));
  const accepting = new Set(states.filter((state) => after.get(state)?.isMatch === true));
  const automaton = { states, edges, takes, accepting, size: program.length };
  return search ? searched(program, automaton) : automaton;
}

/** Before a beginning that is anywhere there is any text, before one of a line there is its end. */
function searched(program: readonly Instruction[], automaton: Automaton): Automaton {
  const [anything, lineEnd] = [program.length, program.length + 1];
  const [anywhere, ofLines] = [
    reached(program, 0, ['text start', 'line start']),
    reached(program, 0, ['text start']),
  ];
  const around: readonly [number, number][] = [
    [anything, 1],
    [lineEnd, 1],
  ];
  const edges = new Map(automaton.edges)
    .set(anything, new Map([...around, ...anywhere.next]))
    .set(lineEnd, new Map([...around, ...ofLines.next]));
  const takes = new Map(automaton.takes).set(anything, EVERYTHING).set(lineEnd, NEW_LINE);
  return { ...automaton, edges, takes, states: [...automaton.states, anything, lineEnd], size: lineEnd + 1 };
}

function taken(instruction: Instruction | undefined): bigint {
  const takes = (point: number): boolean =>
    instruction?.kind === 'character'
      ? instruction.point === point
      : instruction?.kind === 'class' && instruction.set.has(point);
  return SAMPLES.reduce((mask, point, i) => (takes(point) ? mask | (1n << BigInt(i)) : mask), 0n);
}

interface Reached {
  readonly next: Edges;
  /** The end is among it, and nothing has to hold for that. */
  readonly isMatch: boolean;
}

/** States that are reached without a character, with the number of ways; a way passes each choice once at most. */
function reached(program: readonly Instruction[], from: number, closed: readonly string[] = []): Reached {
  const next = new Map<number, number>();
  let isMatch = false;
  const walk = (at: number, passed: ReadonlySet<number>, isFree: boolean): void => {
    const instruction = program[at];
    if (instruction === undefined || passed.has(at)) return;
    if (instruction.kind === 'match') {
      isMatch ||= isFree;
      return;
    }
    if (instruction.kind === 'character' || instruction.kind === 'class') {
      next.set(at, Math.min(2, (next.get(at) ?? 0) + 1));
      return;
    }
    const after = new Set(passed).add(at);
    if (instruction.kind === 'jump') walk(instruction.to, after, isFree);
    else if (instruction.kind === 'choice')
      for (const way of [instruction.first, instruction.second]) walk(way, after, isFree);
    else if (!closed.includes(instruction.place)) walk(at + 1, after, false);
  };
  walk(from, new Set(), true);
  return { next, isMatch };
}

/** The strongly connected component of each node that is reached (Tarjan), without recursion. */
export function components(
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
