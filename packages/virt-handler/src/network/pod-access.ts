/**
 * Handles on what belongs to a Pod, taken from one of its processes: its network namespace, its root
 * directory, and its user namespace if it has one. They are opened first and checked after, so that a reused process id cannot mislead us.
 */
import { constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { QEMU_UID } from '@podvisor/network';
import { idOnNode, OwnedFd, openBeneath } from '@podvisor/sys';

const MAX_RESOLV_CONF_BYTES = 64 * 1024;

export class PodAccess implements Disposable {
  readonly #netns: OwnedFd;
  readonly #root: OwnedFd;
  /** The Pod's user namespace; undefined when it has the node's. */
  readonly users: OwnedFd | undefined;
  /** QEMU's user and group as this node knows them. */
  readonly qemuUser: number;

  private constructor(netns: OwnedFd, root: OwnedFd, users: OwnedFd | undefined, qemuUser: number) {
    this.#netns = netns;
    this.#root = root;
    this.users = users;
    this.qemuUser = qemuUser;
  }

  /** Opens the handles of process `pid`; `isInPod` is asked afterwards whether it still is the Pod's. */
  static open(pid: number, isInPod: () => boolean): PodAccess {
    const netns = new OwnedFd(openSync(`/proc/${pid}/ns/net`, constants.O_RDONLY));
    let root: OwnedFd | undefined;
    let users: OwnedFd | undefined;
    try {
      root = new OwnedFd(openSync(`/proc/${pid}/root`, constants.O_RDONLY | constants.O_DIRECTORY));
      users = new OwnedFd(openSync(`/proc/${pid}/ns/user`, constants.O_RDONLY));
      const qemuUser = idOnNode(pid, QEMU_UID);
      if (!isInPod()) throw new Error(`process ${pid} is not in the Pod any more`);
      if (fstatSync(netns.fd).ino === statSync('/proc/self/ns/net').ino)
        throw new Error('the launcher Pod shares the network of its node, which must never be changed');
      if (qemuUser === undefined) throw new Error(`process ${pid} has a user namespace of its own making`);
      if (fstatSync(users.fd).ino !== statSync('/proc/self/ns/user').ino)
        return new PodAccess(netns, root, users, qemuUser);
      users.close();
      return new PodAccess(netns, root, undefined, qemuUser);
    } catch (error) {
      netns.close();
      root?.close();
      users?.close();
      throw error;
    }
  }

  /** A path to the namespace that tools started by this process can open. */
  get netnsPath(): string {
    return `/proc/${process.pid}/fd/${this.#netns.fd}`;
  }

  /** The Pod's root directory. */
  get root(): OwnedFd {
    return this.#root;
  }

  /** Text of the Pod's resolv.conf; empty when there is none. */
  resolvConf(): string {
    try {
      using file = openBeneath(this.#root, 'etc/resolv.conf', { symlinks: 'in-root' });
      if (fstatSync(file.fd).size > MAX_RESOLV_CONF_BYTES) return '';
      return readFileSync(file.fd, 'utf8');
    } catch {
      return ''; // No file: the guest gets no name servers, as the Pod has none.
    }
  }

  [Symbol.dispose](): void {
    this.#netns.close();
    this.#root.close();
    this.users?.close();
  }
}
