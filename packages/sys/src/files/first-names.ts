/**
 * Names in a directory that somebody else fills: at most so many are read, whatever there is. Listing a directory of
 * a million names whole takes seconds and keeps a process from everything else.
 */
import { opendirSync } from 'node:fs';

/** In no order; all of them when there are fewer than `most`. */
export function firstNames(directory: string, most: number): readonly string[] {
  const entries = opendirSync(directory);
  try {
    const names: string[] = [];
    while (names.length < most) {
      const entry = entries.readSync();
      if (entry === null) break;
      names.push(entry.name);
    }
    return names;
  } finally {
    entries.closeSync();
  }
}
