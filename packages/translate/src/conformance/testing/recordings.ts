/** Reads recorded behaviour for tests. Without PODVISOR_CONFORMANCE the tests that need it are skipped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = process.env.PODVISOR_CONFORMANCE;

/** Why a test is skipped, or false when the recordings are there. */
export const skipReason: string | false =
  directory === undefined ? 'set PODVISOR_CONFORMANCE to the directory of recorded behaviour' : false;

/** The records of a `.jsonl` file; none when there are no recordings. */
export function recordsOf<T>(file: string): readonly T[] {
  if (directory === undefined) return [];
  return readFileSync(join(directory, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): T => JSON.parse(line));
}
