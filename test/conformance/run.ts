/** Runs recorded cases: finds the files, lets each subject compare its own, counts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Assumed, type Assumption, assumedFor, NOTHING } from './assumed.ts';
import type { MayFail } from './may-fail.ts';
import { filesBelow } from './records.ts';
import type { OpenCase, OpenSubject, Subject } from './subject.ts';

/** A case that does not answer as recorded. */
export interface Failure {
  readonly id: string;
  readonly differences: readonly string[];
}

/** A case that differs, as the list of known differences says. */
export interface Known {
  readonly id: string;
  readonly reason: string;
}

/** What came of one file. */
export interface FileReport {
  readonly file: string;
  /** Passed, with nothing added to what was recorded. */
  readonly passed: number;
  /** Passed, but only with what an assumption adds. */
  readonly assumed: readonly string[];
  readonly known: readonly Known[];
  readonly failures: readonly Failure[];
}

export interface RunOptions {
  readonly directory: string;
  readonly subjects: readonly Subject[];
  readonly assumptions: readonly Assumption[];
  readonly mayFail: readonly MayFail[];
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
    const open = await subject.open({ directory });
    try {
      for (const file of own) {
        const report = await runFile(open, file, options);
        reports.push(report);
        onFile?.(report);
      }
    } finally {
      await open.close();
    }
  }
  if (reports.length === 0) throw new Error(`there are no recorded cases in ${directory}`);
  return reports;
}

async function runFile(open: OpenSubject, file: string, options: RunOptions): Promise<FileReport> {
  let passed = 0;
  const assumed: string[] = [];
  const known: Known[] = [];
  const failures: Failure[] = [];
  const cases = open.cases(readFileSync(join(options.directory, file), 'utf8'), file);
  const waiting = cases.values();
  const work = async (): Promise<void> => {
    // All workers draw from one iterator.
    for (const recorded of waiting) {
      const { id } = recorded;
      const listed = options.mayFail.find((one) => one.file === file && one.id === id);
      const adds = assumedFor(options.assumptions, file, id);
      const differences = await differencesOf(recorded, adds ?? NOTHING);
      if (differences.length > 0) {
        if (listed === undefined) failures.push({ id, differences });
        else known.push({ id, reason: listed.reason });
      } else if (listed !== undefined && listed.sometimes !== true) {
        failures.push({ id, differences: [`passes, although it is listed: ${listed.reason}`] });
      } else if (adds === undefined || (await differencesOf(recorded, NOTHING)).length === 0) {
        passed += 1;
      } else assumed.push(id);
    }
  };
  await Promise.all(Array.from({ length: open.concurrency }, work));
  const names = new Set(cases.map(({ id }) => id));
  return { file, passed, assumed, known, failures: [...failures, ...strangers(file, names, options)] };
}

/** Entries of the lists for cases that are not recorded: left over, or misspelt. */
function strangers(
  file: string,
  names: ReadonlySet<string>,
  { assumptions, mayFail }: RunOptions,
): readonly Failure[] {
  const listed = [
    ...mayFail.filter((one) => one.file === file).map(({ id }) => id),
    ...assumptions.flatMap((one) => (one.file === file && one.cases !== 'all' ? one.cases : [])),
  ];
  return listed
    .filter((id) => !names.has(id))
    .map((id) => ({ id, differences: ['is listed, but there is no such case'] }));
}

/** A crash is a difference like any other, with its place. */
async function differencesOf(recorded: OpenCase, assumed: Assumed): Promise<readonly string[]> {
  try {
    return await recorded.differences(assumed);
  } catch (error) {
    if (!(error instanceof Error)) return [`threw ${String(error)}`];
    const place = error.stack?.split('\n').find((line) => line.trim().startsWith('at '));
    return [`threw ${error.name}: ${error.message}${place === undefined ? '' : ` (${place.trim()})`}`];
  }
}
