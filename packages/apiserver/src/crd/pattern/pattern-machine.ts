/**
 * Runs a pattern's program over a text, all ways at once (Thompson, Pike): each instruction is looked at once for each
 * character, so the time is at most the length of the text times that of the program, whatever both are. Of several
 * matches the leftmost is found, and of those the one that the pattern prefers, as Go's does. Pure.
 */
import type { Place } from './pattern-node.ts';
import type { Instruction } from './pattern-program.ts';

/** Less than a second. A text of a mebibyte meets patterns of usual length in less. */
const MAX_STEPS = 25_000_000;

/** The program is too long for this text. */
export class PatternCostError extends Error {
  override readonly name = 'PatternCostError';
  constructor() {
    super('the text is too long for the pattern');
  }
}

export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Ways through the program, the preferred one first: where each is, and where it began. */
interface Ways {
  readonly at: Int32Array;
  readonly start: Int32Array;
  count: number;
}

export class PatternMachine {
  readonly #program: readonly Instruction[];
  /** At which moment an instruction was reached last, so that it is looked at once. */
  readonly #reached: Int32Array;
  #ways: Ways;
  #next: Ways;
  readonly #pending: number[] = [];
  #moment = 0;
  #steps = 0;

  constructor(program: readonly Instruction[]) {
    this.#program = program;
    this.#reached = new Int32Array(program.length);
    this.#ways = ways(program.length);
    this.#next = ways(program.length);
  }

  /** The first match; with `any`, whichever is found soonest. @throws {PatternCostError} */
  first(text: string, any: boolean): Match | undefined {
    this.#steps = 0;
    return this.#find(text, 0, any);
  }

  /** All matches that do not overlap, as Go finds them. @throws {PatternCostError} */
  all(text: string): readonly Match[] {
    this.#steps = 0;
    const found: Match[] = [];
    let lastEnd = -1;
    for (let from = 0; from <= text.length; ) {
      const match = this.#find(text, from, false);
      if (match === undefined) break;
      const isEmpty = match.end === match.start;
      // An empty match right after another one is none.
      if (!isEmpty || match.start !== lastEnd) found.push(match);
      lastEnd = match.end;
      from = isEmpty ? match.end + width(text.codePointAt(match.end) ?? 0) : match.end;
    }
    return found;
  }

  #find(text: string, from: number, any: boolean): Match | undefined {
    const [first] = this.#program;
    const beginsAtStart = first?.kind === 'place' && first.place === 'text start';
    let match: Match | undefined;
    this.#ways.count = 0;
    this.#advance();
    for (let position = from; ; ) {
      if (this.#ways.count === 0 && (match !== undefined || (beginsAtStart && position > 0))) break;
      if (match === undefined) this.#reach(this.#ways, 0, position, text, position);
      const point = text.codePointAt(position);
      const after = position + width(point ?? 0);
      this.#advance();
      this.#next.count = 0;
      for (let i = 0; i < this.#ways.count; i += 1) {
        const at = this.#ways.at[i] ?? 0;
        const start = this.#ways.start[i] ?? 0;
        const instruction = this.#program[at];
        if (instruction?.kind === 'match') {
          match = { start, end: position };
          if (any) return match;
          break; // what comes after it is less preferred
        }
        if (point !== undefined && meets(instruction, point))
          this.#reach(this.#next, at + 1, start, text, after);
      }
      if (point === undefined) break;
      [this.#ways, this.#next] = [this.#next, this.#ways];
      position = after;
    }
    return match;
  }

  #advance(): void {
    this.#moment += 1;
    if (this.#moment < 0x7fffffff) return;
    this.#reached.fill(0);
    this.#moment = 1;
  }

  /** Adds a way, and what can be reached from it without a character. */
  #reach(into: Ways, from: number, start: number, text: string, position: number): void {
    const pending = this.#pending;
    pending.push(from);
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      this.#steps += 1;
      if (this.#reached[at] === this.#moment) continue;
      this.#reached[at] = this.#moment;
      const instruction = this.#program[at];
      if (instruction === undefined) continue;
      if (instruction.kind === 'jump') pending.push(instruction.to);
      else if (instruction.kind === 'choice') pending.push(instruction.second, instruction.first);
      else if (instruction.kind === 'place') {
        if (isAt(instruction.place, text, position)) pending.push(at + 1);
      } else {
        into.at[into.count] = at;
        into.start[into.count] = start;
        into.count += 1;
      }
    }
    if (this.#steps > MAX_STEPS) throw new PatternCostError();
  }
}

function ways(length: number): Ways {
  return { at: new Int32Array(length), start: new Int32Array(length), count: 0 };
}

function width(point: number): number {
  return point > 0xffff ? 2 : 1;
}

function meets(instruction: Instruction | undefined, point: number): boolean {
  if (instruction?.kind === 'character') return instruction.point === point;
  return instruction?.kind === 'class' && instruction.set.has(point);
}

function isAt(place: Place, text: string, position: number): boolean {
  switch (place) {
    case 'text start':
      return position === 0;
    case 'text end':
      return position === text.length;
    case 'line start':
      return position === 0 || text[position - 1] === '\n';
    case 'line end':
      return position === text.length || text[position] === '\n';
    case 'word edge':
      return isWord(text, position - 1) !== isWord(text, position);
    case 'no word edge':
      return isWord(text, position - 1) === isWord(text, position);
    default:
      return place satisfies never;
  }
}

/** Go's words are ASCII. */
function isWord(text: string, position: number): boolean {
  return /^\w$/.test(text[position] ?? '');
}
