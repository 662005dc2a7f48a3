/**
 * Which test files passed only on their second try, run after run. Kept in build/flaky.json: by file, the number of
 * runs in a row. A run that does not touch a file leaves its number alone; one in which it passes at once, or fails
 * for good, takes it back to 0. A file that was flaky three runs in a row fails: a second try is for bad luck, and
 * that often it is none.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Runs in a row after which a flaky file fails. */
export const FLAKY_RUNS = 3;

/** Runs in a row in which a file was flaky, by file. */
export type FlakyHistory = Readonly<Record<string, number>>;

/** The history after a run of `ran`, of which `flaky` passed on the second try only. Pure. */
export function nextHistory(
  history: FlakyHistory,
  ran: Iterable<string>,
  flaky: ReadonlySet<string>,
): FlakyHistory {
  const touched = new Set(ran);
  const kept = Object.entries(history).filter(([file]) => !touched.has(file));
  const counted = [...flaky].map((file) => [file, (history[file] ?? 0) + 1] as const);
  return Object.fromEntries([...kept, ...counted]);
}

/** Files that were flaky too often, with the number of runs. */
export function tooFlaky(
  history: FlakyHistory,
  ran: Iterable<string>,
): readonly (readonly [string, number])[] {
  return [...new Set(ran)].flatMap((file) => {
    const runs = history[file] ?? 0;
    return runs >= FLAKY_RUNS ? [[file, runs] as const] : [];
  });
}

/** Empty when there is none, or none that can be read: a history that was lost begins anew. */
export function readHistory(path: string): FlakyHistory {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
  } catch {
    return {};
  }
}

export function writeHistory(path: string, history: FlakyHistory): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(history, undefined, 2)}\n`);
  renameSync(`${path}.new`, path);
}
