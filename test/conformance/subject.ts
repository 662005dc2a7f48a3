/**
 * A subject is one kind of recorded behaviour: which files hold it, and how one case is compared with what the code
 * answers. All subjects have this shape; `subjects.ts` lists them.
 */

/** A recorded case. Every subject knows the rest of its own records. */
export interface RecordedCase {
  readonly id: string;
}

/** Compares one kind of cases. */
export interface Checker<T extends RecordedCase> {
  /** The cases of a file. */
  load(text: string, file: string): readonly T[];
  /** One line for each difference; none when the code answers as recorded. */
  check(recorded: T): readonly string[] | Promise<readonly string[]>;
  /** Why this one case cannot be compared yet, because something of the system is not built. */
  notBuilt?(recorded: T): string | undefined;
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
  /** Why nothing can be compared yet; files of such a subject are skipped by name. */
  readonly notBuilt?: string;
  open(recordings: Recordings): Promise<OpenSubject>;
}

/** A subject at work; the type of its cases is its own affair. */
export interface OpenSubject {
  readonly concurrency: number;
  cases(text: string, file: string): readonly OpenCase[];
  close(): Promise<void>;
}

/** A case that waits to be compared. */
export interface OpenCase extends RecordedCase {
  readonly notBuilt: string | undefined;
  differences(): Promise<readonly string[]>;
}

/** A subject whose checker needs no start. */
export function subject<T extends RecordedCase>(
  name: string,
  files: RegExp,
  open: Checker<T> | ((recordings: Recordings) => Promise<Checker<T>>),
): Subject {
  return {
    name,
    files,
    open: async (recordings) => {
      const checker = typeof open === 'function' ? await open(recordings) : open;
      return {
        concurrency: checker.concurrency ?? 1,
        cases: (text, file) =>
          checker.load(text, file).map((recorded) => ({
            id: recorded.id,
            notBuilt: checker.notBuilt?.(recorded),
            differences: async () => checker.check(recorded),
          })),
        close: async () => checker.close?.(),
      };
    },
  };
}

/** A subject that the code has no answer to yet. */
export function notBuilt(name: string, files: RegExp, reason: string): Subject {
  return {
    name,
    files,
    notBuilt: reason,
    open: async () => ({ concurrency: 1, cases: () => [], close: async () => undefined }),
  };
}
