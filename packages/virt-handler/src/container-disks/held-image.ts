/**
 * The files of an image that a container of a launcher Pod holds, as handles. The container is found by the process
 * that listens on its socket: the kernel tells which one that is, and it must be the launcher's user in that very
 * Pod. A socket that somebody swapped leads to another container of the same Pod, whose files the launcher may read
 * anyway. Of its files only those of the image count, not what is mounted into the container.
 */
import { constants, openSync } from 'node:fs';
import type { Uid } from '@podvisor/base';
import { openContainerDisk } from '@podvisor/storage';
import { cloneForeignTree, OwnedFd } from '@podvisor/sys';
import { listenerOf } from '../launcher-client/listener.ts';
import { isLauncher, type SocketChecks } from '../launcher-client/socket.ts';

export class HeldImage implements Disposable {
  readonly #root: OwnedFd;
  readonly #mounts: OwnedFd;

  private constructor(root: OwnedFd, mounts: OwnedFd) {
    this.#root = root;
    this.#mounts = mounts;
  }

  /** The image whose container listens on the open `socket`. Throws when somebody else does, or nobody. */
  static async open(socket: OwnedFd, podUid: Uid, checks: SocketChecks = {}): Promise<HeldImage> {
    const peer = await listenerOf(socket);
    const root = new OwnedFd(openSync(`/proc/${peer.pid}/root`, constants.O_RDONLY | constants.O_DIRECTORY));
    let mounts: OwnedFd | undefined;
    try {
      mounts = new OwnedFd(openSync(`/proc/${peer.pid}/ns/mnt`, constants.O_RDONLY));
      // Opened first and checked after: a reused process id cannot mislead us.
      if (isLauncher(peer, podUid, checks)) return new HeldImage(root, mounts);
      throw new Error(`process ${peer.pid} of user ${peer.uid} listens where a container of the Pod should`);
    } catch (error) {
      root.close();
      mounts?.close();
      throw error;
    }
  }

  /** A handle on a file of the image: at `path`, or the one in /disk. The caller closes it. Throws ImageError. */
  find(path?: string): OwnedFd {
    return openContainerDisk(this.#root, path);
  }

  /** A mount of that file that is nowhere yet. It can be read and nothing else, and outlives the container. */
  mountOf(file: OwnedFd): OwnedFd {
    return cloneForeignTree(file, this.#mounts, { flags: ['ro', 'nosuid', 'nodev', 'noexec'] });
  }

  [Symbol.dispose](): void {
    this.#root.close();
    this.#mounts.close();
  }
}
