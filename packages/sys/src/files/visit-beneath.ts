/**
 * Walks a tree that a tenant may change meanwhile. Each entry is visited by a handle that was opened below the top without
 * links, so that nothing outside is ever reached, whatever takes the place of a name between two looks. What is gone or
 * has become a link is passed over; mounts are not entered.
 */
import { constants, fstatSync, opendirSync, type Stats } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { SystemCallError } from '../libc.ts';
import { O_PATH, openBeneath, openDirectory } from './open-beneath.ts';
import type { OwnedFd } from './owned-fd.ts';

/** Entries between two turns of the event loop. */
const PACE = 256;
const PASSED_OVER = ['ENOENT', 'ELOOP', 'ENOTDIR', 'EXDEV'];

/** Files and directories below `path`, not itself. `visit` must not keep the handle. */
export async function visitBeneath(
  path: string,
  visit: (entry: OwnedFd, stats: Stats) => void,
): Promise<void> {
  using top = openDirectory(path);
  const waiting = ['.'];
  let visited = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    using handle = openUnlessGone(top, directory, constants.O_RDONLY | constants.O_DIRECTORY);
    if (handle === undefined) continue;
    const entries = opendirSync(handle.procPath);
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        using found = openUnlessGone(handle, entry.name, O_PATH);
        if (found === undefined) continue;
        const stats = fstatSync(found.fd);
        visit(found, stats);
        if (stats.isDirectory()) waiting.push(`${directory}/${entry.name}`);
        visited += 1;
        if (visited % PACE === 0) await turn();
      }
    } finally {
      entries.closeSync();
    }
  }
}

function openUnlessGone(directory: OwnedFd, name: string, flags: number): OwnedFd | undefined {
  try {
    return openBeneath(directory, name, { flags, sameMount: true });
  } catch (error) {
    if (error instanceof SystemCallError && PASSED_OVER.includes(error.code)) return undefined;
    throw error;
  }
}
