/**
 * Copies the content of a volume, which its users may be changing and may have filled with anything. Every
 * step goes through open handles: no name that a tenant chose is ever looked up outside of the directory
 * that it was found in. Files, directories and symbolic links (as links) are copied; devices, sockets and
 * pipes are left out. Runs synchronously, in a program of its own.
 */
import {
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
} from 'node:fs';
import { copyContent, openBeneath, openDirectory, OwnedFd } from '@podvisor/sys';

export interface CopyTreeOptions {
  /** Copy only this file of the top directory; it must be there and be a file. */
  readonly only?: string;
  /** Hears of bytes that were copied just now. */
  onCopied?(bytes: number): void;
}

export interface CopyTreeResult {
  readonly files: number;
  /** Content bytes: allocated ones of files that were copied, all of files whose blocks are shared. */
  readonly bytes: number;
  /** All files share their blocks with the original. */
  readonly shared: boolean;
  /** Entries that are neither files, directories nor links. */
  readonly skipped: number;
}

/** Names are tenants' choice; a tree deeper than this is not a volume of files but an attack on our stack. */
const MAX_DEPTH = 256;

/** Copies what is in directory `from` into directory `to`, which exists and is empty, and syncs it to disk. */
export function copyTree(from: string, to: string, options: CopyTreeOptions = {}): CopyTreeResult {
  const state = { files: 0, bytes: 0, shared: true, skipped: 0 };
  using source = openDirectory(from);
  using target = openDirectory(to);
  copyDirectory(source, target, options.only, 0);
  return state;

  function copyDirectory(source: OwnedFd, target: OwnedFd, only: string | undefined, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error(`directories are nested deeper than ${MAX_DEPTH}`);
    if (only === undefined)
      for (const name of readdirSync(source.procPath)) copyEntry(source, target, name, depth);
    else if (statOf(`${source.procPath}/${only}`)?.isFile() === true) copyFile(source, target, only);
    else throw new Error(`the volume holds no file ${only}`);
    const stats = fstatSync(source.fd);
    fchownSync(target.fd, stats.uid, stats.gid);
    fchmodSync(target.fd, stats.mode & 0o7777);
    fsyncSync(target.fd);
  }

  function copyEntry(source: OwnedFd, target: OwnedFd, name: string, depth: number): void {
    const stats = statOf(`${source.procPath}/${name}`);
    if (stats === undefined) return;
    const place = `${target.procPath}/${name}`;
    if (stats.isDirectory()) {
      using inner = openBeneath(source, name, { flags: constants.O_RDONLY | constants.O_DIRECTORY });
      mkdirSync(place, { mode: 0o700 });
      using made = openBeneath(target, name, { flags: constants.O_RDONLY | constants.O_DIRECTORY });
      copyDirectory(inner, made, undefined, depth + 1);
    } else if (stats.isSymbolicLink()) {
      symlinkSync(readlinkSync(`${source.procPath}/${name}`), place);
      lchownSync(place, stats.uid, stats.gid);
    } else if (stats.isFile()) {
      copyFile(source, target, name);
    } else {
      state.skipped += 1;
    }
  }

  function copyFile(source: OwnedFd, target: OwnedFd, name: string): void {
    // It may have become a pipe since we looked: opening one must not wait for a writer.
    using file = openBeneath(source, name, { flags: constants.O_RDONLY | constants.O_NONBLOCK });
    const stats = fstatSync(file.fd);
    if (!stats.isFile()) {
      state.skipped += 1;
      return;
    }
    using made = openBeneath(target, name, {
      flags: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
    });
    const how = copyContent(file.fd, made.fd, stats.size, (bytes) => {
      state.bytes += bytes;
      options.onCopied?.(bytes);
    });
    state.shared &&= how === 'shared';
    state.files += 1;
    fchownSync(made.fd, stats.uid, stats.gid);
    fchmodSync(made.fd, stats.mode & 0o7777);
    fsyncSync(made.fd);
  }
}

/** Undefined when the entry has just gone. */
function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
