/**
 * Regular expressions as Kubernetes reads and runs them: Go's syntax, in time that grows with the text and not with the
 * ways to read it. JavaScript's own engine tries one way after the other: `^(a+)+$` takes it for ever with thirty letters,
 * and the texts are tenants'.
 */
import { parsePattern } from './parse-pattern.ts';
import { PatternMachine } from './pattern-machine.ts';
import { compilePattern } from './pattern-program.ts';

export { PatternError } from './pattern-escapes.ts';
export { PatternCostError } from './pattern-machine.ts';

const MAX_PATTERNS = 2_000;
/** All that is remembered together has at most so many instructions. */
const MAX_REMEMBERED = 1_000_000;
const patterns = new Map<string, GoPattern>();
let remembered = 0;

/** A pattern that can be asked. Each question throws {@link PatternCostError} when it would take about a second. */
export class GoPattern {
  readonly #machine: PatternMachine;
  readonly length: number;

  /** @throws {PatternError} */
  constructor(pattern: string) {
    const program = compilePattern(pattern, parsePattern(pattern));
    this.length = program.length;
    this.#machine = new PatternMachine(program);
  }

  /** Whether it matches anywhere. */
  test(text: string): boolean {
    return this.#machine.first(text, true) !== undefined;
  }

  find(text: string): string | undefined {
    const match = this.#machine.first(text, false);
    return match === undefined ? undefined : text.slice(match.start, match.end);
  }

  findAll(text: string): string[] {
    return this.#machine.all(text).map(({ start, end }) => text.slice(start, end));
  }
}

/** Remembers those that it was asked for. @throws {PatternError} */
export function goPattern(pattern: string): GoPattern {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const found = new GoPattern(pattern);
  if (patterns.size >= MAX_PATTERNS || remembered + found.length > MAX_REMEMBERED) {
    patterns.clear();
    remembered = 0;
  }
  remembered += found.length;
  patterns.set(pattern, found);
  return found;
}
