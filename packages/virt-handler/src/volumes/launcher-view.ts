/**
 * The directory of plugged disks as a launcher has it, and mounts in it that nobody else has. On the node nothing is
 * mounted at those names: when a Pod has ended, the kubelet removes what is in its volumes, and goes into directories
 * that are mounted there. A file that is mounted it cannot remove; of a claim's directory it would remove everything.
 * What is mounted for the launcher alone ends with it.
 */
import { constants, fstatSync, openSync } from 'node:fs';
import { launcherPaths } from '@podvisor/api';
import {
  attachForeignTree,
  O_PATH,
  openBeneath,
  OwnedFd,
  SystemCallError,
  unmountForeignEntry,
} from '@podvisor/sys';

export class LauncherView implements Disposable {
  readonly #directory: OwnedFd;
  readonly #namespace: OwnedFd;

  private constructor(directory: OwnedFd, namespace: OwnedFd) {
    this.#directory = directory;
    this.#namespace = namespace;
  }

  /** `directory`: where the node has it. Throws when process `pid` does not have that very directory. */
  static open(directory: OwnedFd, pid: number): LauncherView {
    using root = new OwnedFd(openSync(`/proc/${pid}/root`, constants.O_RDONLY | constants.O_DIRECTORY));
    const path = launcherPaths().hotplugDisks.slice(1);
    const seen = openBeneath(root, path, { flags: O_PATH, symlinks: 'in-root' });
    let namespace: OwnedFd | undefined;
    try {
      namespace = new OwnedFd(openSync(`/proc/${pid}/ns/mnt`, constants.O_RDONLY));
      const [theirs, ours] = [fstatSync(seen.fd), fstatSync(directory.fd)];
      // Also when the process id is another's by now.
      if (theirs.dev !== ours.dev || theirs.ino !== ours.ino)
        throw new Error(`process ${pid} does not have the directory of plugged disks of its Pod`);
      return new LauncherView(seen, namespace);
    } catch (error) {
      seen.close();
      namespace?.close();
      throw error;
    }
  }

  /** What the launcher finds at this name; undefined: nothing, or a link. The caller closes it. */
  find(name: string): OwnedFd | undefined {
    try {
      return openBeneath(this.#directory, name, { flags: O_PATH });
    } catch (error) {
      if (error instanceof SystemCallError && ['ENOENT', 'ELOOP'].includes(error.code)) return undefined;
      throw error;
    }
  }

  /** Shows a mount that is nowhere yet at this name, where there is an empty directory. */
  show(name: string, tree: OwnedFd): void {
    using place = openBeneath(this.#directory, name, { flags: O_PATH });
    if (!fstatSync(place.fd).isDirectory())
      throw new Error(`${name} was changed by somebody while it was plugged`);
    attachForeignTree(tree, place, this.#namespace);
  }

  /** Takes away what is mounted at this name, if anything is. */
  hide(name: string): void {
    for (;;) {
      try {
        unmountForeignEntry(this.#directory, name, this.#namespace);
      } catch (error) {
        if (error instanceof SystemCallError && ['EINVAL', 'ENOENT', 'ELOOP'].includes(error.code)) return;
        throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#directory.close();
    this.#namespace.close();
  }
}
