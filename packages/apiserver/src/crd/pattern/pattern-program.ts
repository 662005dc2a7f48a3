/**
 * A pattern's tree as a program for `pattern-machine.ts`: characters to be met, places to be at, and choices, of which
 * the first is preferred. Pure.
 *
 * Counts are written out, so a program may be longer than its pattern; one beyond the limit is refused in Go's words.
 */
import { PatternError } from './pattern-escapes.ts';
import type { PatternNode, Place } from './pattern-node.ts';

/** Go refuses what takes 128 MiB; texts of tenants are held against a program, so that ours are smaller. */
const MAX_INSTRUCTIONS = 100_000;

export type Instruction =
  | { readonly kind: 'character'; readonly point: number }
  | { readonly kind: 'class'; readonly set: CharacterSet }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'choice'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' };

/** A class of characters. What it says of ASCII is asked of JavaScript's class once. */
export class CharacterSet {
  readonly #class: RegExp;
  #ascii: readonly boolean[] | undefined;

  constructor(source: string) {
    this.#class = new RegExp(`^(?:${source})$`, 'u');
  }

  has(point: number): boolean {
    if (point >= 0x80) return this.#class.test(String.fromCodePoint(point));
    this.#ascii ??= Array.from({ length: 0x80 }, (_, ascii) => this.#class.test(String.fromCodePoint(ascii)));
    return this.#ascii[point] === true;
  }
}

/** @throws {PatternError} when the program would be too long */
export function compilePattern(pattern: string, root: PatternNode): readonly Instruction[] {
  const program = new Program(pattern);
  program.add(root);
  program.push({ kind: 'match' });
  return program.instructions;
}

class Program {
  readonly instructions: Instruction[] = [];
  readonly #pattern: string;
  readonly #sets = new Map<string, CharacterSet>();

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  push<I extends Instruction>(instruction: I): I {
    if (this.instructions.length >= MAX_INSTRUCTIONS)
      throw new PatternError('expression too large', this.#pattern);
    this.instructions.push(instruction);
    return instruction;
  }

  add(node: PatternNode): void {
    switch (node.kind) {
      case 'character':
        this.push({ kind: 'character', point: node.point });
        return;
      case 'class':
        this.push({ kind: 'class', set: this.#set(node.source) });
        return;
      case 'assertion':
        this.push({ kind: 'place', place: node.place });
        return;
      case 'sequence':
        for (const part of node.parts) this.add(part);
        return;
      case 'alternatives':
        this.#alternatives(node.options);
        return;
      case 'repeat':
        this.#repeat(node);
        return;
      default:
        node satisfies never;
    }
  }

  #set(source: string): CharacterSet {
    const known = this.#sets.get(source) ?? new CharacterSet(source);
    this.#sets.set(source, known);
    return known;
  }

  get #here(): number {
    return this.instructions.length;
  }

  #alternatives(options: readonly PatternNode[]): void {
    const jumps: { to: number }[] = [];
    for (const [i, option] of options.entries()) {
      const choice = i < options.length - 1 ? this.#choice() : undefined;
      this.add(option);
      if (choice === undefined) continue;
      jumps.push(this.push({ kind: 'jump', to: 0 }));
      choice.second = this.#here;
    }
    for (const jump of jumps) jump.to = this.#here;
  }

  /** Goes on with what comes next; where else to go is filled in later. */
  #choice(): { first: number; second: number } {
    return this.push({ kind: 'choice', first: this.#here + 1, second: 0 });
  }

  #repeat(node: Extract<PatternNode, { readonly kind: 'repeat' }>): void {
    const { max, min } = node;
    for (let i = 0; i < min - (max === undefined ? 1 : 0); i += 1) this.add(node.node);
    if (max === undefined) {
      this.#loop(node);
      return;
    }
    const skips: ReturnType<Program['push']>[] = [];
    for (let i = min; i < max; i += 1) {
      skips.push(this.#choiceOf(node.lazy));
      this.add(node.node);
    }
    for (const skip of skips) leave(skip, node.lazy, this.#here);
  }

  #choiceOf(lazy: boolean): Instruction {
    const next = this.#here + 1;
    return this.push(
      lazy ? { kind: 'choice', first: 0, second: next } : { kind: 'choice', first: next, second: 0 },
    );
  }

  /** `x*` is `(x+)?`, as in Go: otherwise one of nothing would be preferred wrongly. */
  #loop({ lazy, min, node }: Extract<PatternNode, { readonly kind: 'repeat' }>): void {
    const skip = min === 0 ? this.#choiceOf(lazy) : undefined;
    const body = this.#here;
    this.add(node);
    const next = this.#here + 1;
    this.push(
      lazy ? { kind: 'choice', first: next, second: body } : { kind: 'choice', first: body, second: next },
    );
    if (skip !== undefined) leave(skip, lazy, this.#here);
  }
}

/** Where a repetition goes on when it is not repeated. */
function leave(choice: Instruction, lazy: boolean, to: number): void {
  if (choice.kind !== 'choice') return;
  if (lazy) choice.first = to;
  else choice.second = to;
}
