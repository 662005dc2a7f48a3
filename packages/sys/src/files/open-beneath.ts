/**
 * Opens what a tenant may have arranged: the path is walked by the kernel below a trusted directory, and
 * neither a symbolic link, nor a magic link, nor `..` can lead out of it (openat2(2), Linux 5.6). Nobody waits: a pipe
 * in the place of a file would hold whoever opens it until somebody else does, and with it everything that he serves.
 */
import { constants, openSync } from 'node:fs';
import { checked } from '../libc.ts';
import { OwnedFd } from './owned-fd.ts';

/** asm-generic/unistd.h: the same number on every architecture. */
const SYS_OPENAT2 = 437;
const RESOLVE_NO_XDEV = 0x01;
const RESOLVE_NO_MAGICLINKS = 0x02;
const RESOLVE_NO_SYMLINKS = 0x04;
const RESOLVE_BENEATH = 0x08;
const RESOLVE_IN_ROOT = 0x10;
const O_CLOEXEC = 0o2000000;

/** linux/fcntl.h: a handle on the entry itself, without permission to read or write it. */
export const O_PATH = 0o10000000;

export interface OpenBeneathOptions {
  /** Flags of open(2); default O_RDONLY. Always with O_NONBLOCK, which means nothing to files and directories. */
  readonly flags?: number;
  /** Mode of a file that O_CREAT makes; default 0600. */
  readonly mode?: number;
  /**
   * `refuse` (default): any symbolic link is an error. `in-root`: links are followed as if `directory`
   * were `/`, which is what a path inside an image means.
   */
  readonly symlinks?: 'refuse' | 'in-root';
  /** What is mounted below `directory` does not count as being in it (`EXDEV`). */
  readonly sameMount?: boolean;
}

/**
 * Opens `relative` below `directory` (a trusted path or an open directory). Throws SystemCallError with
 * code `ELOOP` when a symbolic link is in the way and `EXDEV` when the path leads out.
 */
export function openBeneath(
  directory: string | OwnedFd,
  relative: string,
  options: OpenBeneathOptions = {},
): OwnedFd {
  const own = typeof directory === 'string' ? openDirectory(directory) : undefined;
  try {
    const flags = options.flags ?? constants.O_RDONLY;
    const how = {
      flags: flags | O_CLOEXEC | ((flags & O_PATH) === 0 ? constants.O_NONBLOCK : 0),
      mode: (flags & constants.O_CREAT) === 0 ? 0 : (options.mode ?? 0o600),
      resolve:
        RESOLVE_NO_MAGICLINKS |
        (options.symlinks === 'in-root' ? RESOLVE_IN_ROOT : RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS) |
        (options.sameMount === true ? RESOLVE_NO_XDEV : 0),
    };
    const dirFd = (own ?? (directory as OwnedFd)).fd;
    return new OwnedFd(checked('openat2', relative, (c) => c.openat2(SYS_OPENAT2, dirFd, relative, how, 24)));
  } finally {
    own?.close();
  }
}

/** A handle on a trusted directory. */
export function openDirectory(path: string): OwnedFd {
  return new OwnedFd(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
}
