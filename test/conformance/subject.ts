/**
 * A subject is one kind of recorded behaviour: which files hold it, how a case is put to the code, and how the
 * answer is compared. A case has two halves, and `answer` is given only the first: what the code is asked can
 * never be made out of what it should say. All subjects have this shape; `subjects.ts` lists them.
 */
import type { Assumed } from './assumed.ts';

/** A recorded case in its two halves. */
export interface RecordedCase<Input, Expected> {
  readonly id: string;
  readonly input: Input;
  readonly expected: Expected;
}

/** Asks the code and compares, for one kind of cases. */
export interface Checker<Input, Expected, Answer> {
  /** The cases of a file. */
  load(text: string, file: string): readonly RecordedCase<Input, Expected>[];
  /** What the code says. `assumed` is what `assumptions.ts` adds to this case. */
  answer(input: Input, assumed: Assumed): Answer | Promise<Answer>;
  /** One line for each difference; none when the code answers as recorded. */
  compare(expected: Expected, answer: Answer, input: Input): readonly string[];
  /** Cases that may be compared at a time; 1 unless told. */
  readonly concurrency?: number;
  /** Ends what the checker started. */
  close?(): Promise<void>;
}

/** Where the recordings are, for subjects that need more than their own file. */
export interface Recordings {
  readonly directory: string;
}

/** One kind of recorded behaviour. */
export interface Subject {
  readonly name: string;
  /** Matches paths below the directory of recordings, e.g. `converter/cases.jsonl`. */
  readonly files: RegExp;
  open(recordings: Recordings): Promise<OpenSubject>;
}

/** A subject at work; the types of its cases are its own affair. */
export interface OpenSubject {
  readonly concurrency: number;
  cases(text: string, file: string): readonly OpenCase[];
  close(): Promise<void>;
}

/** A case that waits to be compared. */
export interface OpenCase {
  readonly id: string;
  differences(assumed: Assumed): Promise<readonly string[]>;
}

/** Makes a subject of a checker, or of a function that starts one. */
export function subject<Input, Expected, Answer>(
  name: string,
  files: RegExp,
  open:
    | Checker<Input, Expected, Answer>
    | ((recordings: Recordings) => Promise<Checker<Input, Expected, Answer>>),
): Subject {
  return {
    name,
    files,
    open: async (recordings) => {
      const checker = typeof open === 'function' ? await open(recordings) : open;
      return {
        concurrency: checker.concurrency ?? 1,
        cases: (text, file) =>
          checker.load(text, file).map(({ id, input, expected }) => ({
            id,
            differences: async (assumed) =>
              checker.compare(expected, await checker.answer(input, assumed), input),
          })),
        close: async () => checker.close?.(),
      };
    },
  };
}
