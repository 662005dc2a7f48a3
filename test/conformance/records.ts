/** How files of recordings are found, read, and split into what was asked and what was answered. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RecordedCase } from './subject.ts';

/** One JSON value a line. */
export function jsonLines<T>(text: string): readonly T[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): T => JSON.parse(line));
}

/** The half that each field of a record belongs to. A field of both halves does not compile. */
export type Halves<Input, Expected> = { readonly [K in keyof Input]-?: 'input' } & {
  readonly [K in keyof Expected]-?: 'expected';
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads records of one JSON value a line. Fields that are neither asked nor compared are `unread`; one that is
 * nowhere on the lists throws, so that no recorded word is passed over in silence.
 */
export function jsonCases<Input, Expected>(
  halves: Halves<Input, Expected>,
  unread: readonly string[] = [],
): (text: string) => readonly RecordedCase<Input, Expected>[] {
  return (text) => jsonLines<Fields>(text).map((record) => splitRecord(record, halves, unread));
}

/** Splits one record. Each half holds its own fields and nothing of the other. */
export function splitRecord<Input, Expected>(
  record: Fields,
  halves: Halves<Input, Expected>,
  unread: readonly string[] = [],
): RecordedCase<Input, Expected> {
  const side = new Map<string, unknown>(Object.entries(halves));
  const half = (name: 'input' | 'expected'): Fields =>
    Object.fromEntries(Object.entries(record).filter(([field]) => side.get(field) === name));
  for (const field of Object.keys(record)) {
    if (field !== 'id' && !side.has(field) && !unread.includes(field))
      throw new Error(`case ${String(record['id'])} has a field ${field} that nobody reads`);
  }
  return { id: String(record['id']), input: half('input') as Input, expected: half('expected') as Expected };
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
