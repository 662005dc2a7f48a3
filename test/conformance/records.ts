/** How files of recordings are found and read. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** One JSON value a line. */
export function jsonLines<T>(text: string): readonly T[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): T => JSON.parse(line));
}

/** All files below a directory, as paths relative to it, in order. */
export function filesBelow(directory: string): readonly string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`${directory} is not a directory of recorded cases`);
  }
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .toSorted();
}
