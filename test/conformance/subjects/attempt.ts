/** Work that may be refused: its result, or the words of the refusal. */
import { differences } from '../differences.ts';

export type Attempt<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly message: string };

/** Runs the work; an error becomes its message. */
export function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { kind: 'done', value: work() };
  } catch (error) {
    return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Where an error was recorded, its words; otherwise what `compare` says of the result. */
export function attemptDifferences<T>(
  error: string | null,
  answer: Attempt<T>,
  compare: (value: T) => readonly string[],
): readonly string[] {
  if (answer.kind === 'refused') return differences(error, answer.message, 'error');
  return error === null ? compare(answer.value) : differences(error, null, 'error');
}
