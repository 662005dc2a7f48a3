/** Runs recorded cases: finds the files, lets each subject compare its own, counts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exception } from './exceptions.ts';
import { filesBelow } from './records.ts';
import type { OpenCase, OpenSubject, Subject } from './subject.ts';

/** A case that does not answer as recorded. */
export interface Failure {
  readonly id: string;
  readonly differences: readonly string[];
}

/** A case, or a whole file (without an id), that was not compared. */
export interface Skip {
  readonly id?: string;
  readonly reason: string;
}

/** What came of one file. */
export interface FileReport {
  readonly file: string;
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly skipped: readonly Skip[];
}

export interface RunOptions {
  readonly directory: string;
  readonly subjects: readonly Subject[];
  readonly exceptions: readonly Exception[];
  /** Only files whose path matches. */
  readonly only?: RegExp;
  /** Called as soon as a file is done. */
  readonly onFile?: (report: FileReport) => void;
}

/** Runs every file that a subject knows. Throws when there is none. */
export async function runConformance(options: RunOptions): Promise<readonly FileReport[]> {
  const { directory, subjects, onFile, only } = options;
  const files = filesBelow(directory).filter((file) => only?.test(file) ?? true);
  const reports: FileReport[] = [];
  for (const subject of subjects) {
    const own = files.filter((file) => subject.files.test(file));
    if (own.length === 0) continue;
    for await (const report of runSubject(subject, own, options)) {
      reports.push(report);
      onFile?.(report);
    }
  }
  if (reports.length === 0) throw new Error(`there are no recorded cases in ${directory}`);
  return reports;
}

async function* runSubject(
  subject: Subject,
  files: readonly string[],
  { directory, exceptions }: RunOptions,
): AsyncGenerator<FileReport> {
  if (subject.notBuilt !== undefined) {
    const skipped = [{ reason: `not built yet: ${subject.notBuilt}` }];
    for (const file of files) yield { file, passed: 0, failures: [], skipped };
    return;
  }
  const open = await subject.open({ directory });
  try {
    for (const file of files) yield await runFile(open, file, directory, exceptions);
  } finally {
    await open.close();
  }
}

async function runFile(
  open: OpenSubject,
  file: string,
  directory: string,
  exceptions: readonly Exception[],
): Promise<FileReport> {
  let passed = 0;
  const failures: Failure[] = [];
  const skipped: Skip[] = [];
  const waiting = [...open.cases(readFileSync(join(directory, file), 'utf8'), file)].values();
  const work = async (): Promise<void> => {
    // All workers draw from one iterator.
    for (const recorded of waiting) {
      const reason = skipReason(recorded, file, exceptions);
      if (reason !== undefined) {
        skipped.push({ id: recorded.id, reason });
        continue;
      }
      const differences = await recorded.differences().catch(thrown);
      if (differences.length === 0) passed += 1;
      else failures.push({ id: recorded.id, differences });
    }
  };
  await Promise.all(Array.from({ length: open.concurrency }, work));
  return { file, passed, failures, skipped };
}

function skipReason(
  { id, notBuilt }: OpenCase,
  file: string,
  exceptions: readonly Exception[],
): string | undefined {
  if (notBuilt !== undefined) return `not built yet: ${notBuilt}`;
  return exceptions.find((one) => one.file === file && one.id === id)?.reason;
}

/** A crash is a difference like any other, with its place. */
function thrown(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [`threw ${String(error)}`];
  const place = error.stack
    ?.split('\n')
    .find((line) => line.trim().startsWith('at '))
    ?.trim();
  return [`threw ${error.name}: ${error.message}${place === undefined ? '' : ` (${place})`}`];
}
