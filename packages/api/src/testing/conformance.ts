/** Recorded behaviour for the tests: where it is, and how its files are read. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.PODVISOR_CONFORMANCE;

/** The reason to skip a conformance test, or false when the recordings are there. */
export const skipWithoutConformance: string | false =
  folder && existsSync(folder) ? false : 'PODVISOR_CONFORMANCE does not name the folder of recordings';

export function conformanceJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(folder ?? '', file), 'utf8'));
}

/** The cases of a `.jsonl` file. */
export function conformanceCases<T>(file: string): T[] {
  return readFileSync(join(folder ?? '', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
