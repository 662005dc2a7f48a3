/**
 * The files of a claim, read beneath it: the kernel walks every path without links, so nothing that a tenant planted
 * leads out of the claim (CVE-2026-9804). Links, devices, pipes and sockets are not shown.
 */
import { constants, fstatSync, readdirSync } from 'node:fs';
import { strip } from '@podvisor/base';
import { openBeneath, openDirectory, type OwnedFd } from '@podvisor/sys';

export interface TreeEntry {
  /** Relative to the claim, without a leading slash. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
  readonly sizeBytes: number;
}

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a file or directory of the claim; undefined when there is none that may be shown. */
export function openEntry(
  root: string,
  path: string,
): { readonly handle: OwnedFd; readonly entry: TreeEntry } | undefined {
  const relative = strip(path, '/');
  let handle: OwnedFd;
  try {
    handle = relative === '' ? openDirectory(root) : openBeneath(root, relative, { flags: FLAGS });
  } catch {
    return undefined; // missing, a link, or not to be opened: for the client it is not there
  }
  const stats = fstatSync(handle.fd);
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : undefined;
  if (kind !== undefined)
    return { handle, entry: { path: relative, kind, sizeBytes: kind === 'file' ? stats.size : 0 } };
  handle.close();
  return undefined;
}

/** What is directly in an open directory. */
export function entriesOf(root: string, directory: TreeEntry, handle: OwnedFd): readonly TreeEntry[] {
  return readdirSync(handle.procPath).flatMap((name) => {
    const opened = openEntry(root, directory.path === '' ? name : `${directory.path}/${name}`);
    opened?.handle.close();
    return opened === undefined ? [] : [opened.entry];
  });
}
