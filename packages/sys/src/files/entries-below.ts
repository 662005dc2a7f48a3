/**
 * Everything below a directory, links as links. Node's own recursive `readdir` follows symbolic links to directories:
 * in a tree of strangers it leaves the tree, and two links to `.` keep it busy for ever. A directory that vanishes
 * meanwhile is left out; one that cannot be read is an error.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function* entriesBelow(directory: string): Generator<Dirent> {
  const waiting = [directory];
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop())
    for (const entry of entriesOf(here, here === directory)) {
      yield entry;
      if (entry.isDirectory()) waiting.push(join(here, entry.name));
    }
}

function entriesOf(directory: string, mustExist: boolean): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (mustExist || !isGone) throw error;
    return [];
  }
}
