/**
 * What an attachment Pod holds, as handles. The Pod is found by a process that has the claim: not every one of a Pod's
 * has, the first is often one that only holds its namespaces (the runtime's pause). What is in a claim is a
 * tenant's and is opened beneath it, without links. The claim's directory is looked up in this mount namespace and must
 * be the very same directory; one that is not to be seen here (a `hostPath` volume is outside the kubelet's directory)
 * is taken out of the Pod's.
 */
import { constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { DnsLabel, Uid } from '@podvisor/base';
import { notPlain } from '@podvisor/storage';
import {
  attachTree,
  cloneForeignTree,
  cloneTree,
  firstNames,
  isProcessInPod,
  listMounts,
  type Mount,
  O_PATH,
  openBeneath,
  OwnedFd,
  parseMountinfo,
  SystemCallError,
} from '@podvisor/sys';
import { attachedDirectory } from '@podvisor/translate';

const IMAGE = 'disk.img';

/** The directory of a claim, as it was found. */
export class AttachedDirectory implements Disposable {
  readonly handle: OwnedFd;
  /** Where it was found; absent: in this mount namespace. */
  readonly #namespace: OwnedFd | undefined;

  constructor(handle: OwnedFd, namespace?: OwnedFd) {
    this.handle = handle;
    this.#namespace = namespace;
  }

  /** Shows an open file of it at the open `target` of this mount namespace, with ids as `users` has them. */
  bind(source: OwnedFd, target: OwnedFd, users: OwnedFd | undefined): void {
    using tree = this.clone(source, users);
    attachTree(tree, target);
  }

  /** A mount of it, or of an open file of it, that is nowhere yet. The caller closes it. */
  clone(source: OwnedFd, users: OwnedFd | undefined): OwnedFd {
    const options = users === undefined ? {} : { users };
    return this.#namespace === undefined
      ? cloneTree(source, options)
      : cloneForeignTree(source, this.#namespace, options);
  }

  [Symbol.dispose](): void {
    this.handle.close();
    this.#namespace?.close();
  }
}

/** A claim on this node: the image file in it, or the device that it is. */
export type AttachedSource =
  | { readonly kind: 'file'; readonly directory: AttachedDirectory; readonly handle: OwnedFd }
  | { readonly kind: 'device'; readonly rdev: number };

/** Opens what the attachment Pod holds for `volume`. The caller closes the handles. */
export function openAttached(podUid: Uid, volume: DnsLabel, block: boolean): AttachedSource {
  if (!block) return imageOf(openAttachedDirectory(podUid, volume), volume);
  using root = rootOf(podUid, (_pid, handle) => hasEntry(handle, `path/${volume}`));
  return deviceOf(root.handle, volume);
}

/** Opens the directory of a claim. The caller closes it. */
export function openAttachedDirectory(podUid: Uid, volume: DnsLabel): AttachedDirectory {
  using root = rootOf(podUid, (pid) => mountOf(pid, volume) !== undefined);
  return directoryOf(root.handle, root.pid, volume);
}

/** Which file system the claim is (`major:minor`); undefined: no process of the Pod has it. Asks no storage. */
export function attachedStorage(podUid: Uid, volume: DnsLabel): string | undefined {
  for (const pid of processesOf(podUid)) {
    const mount = mountOf(pid, volume);
    if (mount !== undefined) return mount.device;
  }
  return undefined;
}

/** The root of a process of the Pod that `holds` what is looked for. */
function rootOf(
  podUid: Uid,
  holds: (pid: number, root: OwnedFd) => boolean,
): { readonly pid: number; readonly handle: OwnedFd } & Disposable {
  const processes = processesOf(podUid);
  if (processes.length === 0) throw new Error(`attachment Pod ${podUid} does not run on this node (yet)`);
  for (const pid of processes) {
    const handle = openRoot(pid);
    if (handle === undefined) continue;
    // Opened first and checked after: a reused process id cannot mislead us.
    if (holds(pid, handle) && isProcessInPod(pid, podUid))
      return { pid, handle, [Symbol.dispose]: () => handle.close() };
    handle.close();
  }
  throw new Error(`no container of attachment Pod ${podUid} has the claim (yet)`);
}

function processesOf(podUid: Uid): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isProcessInPod(pid, podUid));
}

/** Undefined: the process has ended. */
function openRoot(pid: number): OwnedFd | undefined {
  try {
    return new OwnedFd(openSync(`/proc/${pid}/root`, constants.O_RDONLY | constants.O_DIRECTORY));
  } catch {
    return undefined;
  }
}

function hasEntry(root: OwnedFd, path: string): boolean {
  try {
    openBeneath(root, path, { flags: O_PATH }).close();
    return true;
  } catch {
    return false;
  }
}

/** Where the process has the claim mounted; undefined also when the process has ended. */
function mountOf(pid: number, volume: DnsLabel): Mount | undefined {
  try {
    const path = attachedDirectory(volume);
    const mounts = parseMountinfo(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));
    return mounts.findLast(({ mountPoint }) => mountPoint === path);
  } catch {
    return undefined;
  }
}

/** The device is alone in its directory; whoever may run programs in the Pod can put more beside it. */
const MOST_NAMES = 100;

function deviceOf(root: OwnedFd, volume: DnsLabel): AttachedSource {
  using directory = openBeneath(root, `path/${volume}`);
  for (const name of firstNames(directory.procPath, MOST_NAMES)) {
    using node = openBeneath(directory, name, { flags: O_PATH });
    const stats = fstatSync(node.fd);
    if (stats.isBlockDevice()) return { kind: 'device', rdev: stats.rdev };
  }
  throw new Error(`the attachment Pod has no block device for volume ${volume}`);
}

function directoryOf(root: OwnedFd, pid: number, volume: DnsLabel): AttachedDirectory {
  const seen = openBeneath(root, attachedDirectory(volume).slice(1), { flags: O_PATH });
  try {
    const mount = mountOf(pid, volume);
    if (mount === undefined) throw new Error(`the attachment Pod has no mount for volume ${volume}`);
    const here = sameDirectoryHere(mount, seen);
    if (here === undefined) return new AttachedDirectory(seen, mountsOf(pid));
    seen.close();
    return new AttachedDirectory(here);
  } catch (error) {
    seen.close();
    throw error;
  }
}

/** If it is another process by now, its mounts are not those of what is open, and the kernel refuses to clone. */
function mountsOf(pid: number): OwnedFd {
  return new OwnedFd(openSync(`/proc/${pid}/ns/mnt`, constants.O_RDONLY));
}

function imageOf(directory: AttachedDirectory, volume: DnsLabel): AttachedSource {
  try {
    return { kind: 'file', directory, handle: openImage(directory.handle, volume) };
  } catch (error) {
    directory[Symbol.dispose]();
    throw error;
  }
}

/** The image in the directory of a claim. Throws for everything but a plain file with one name. */
export function openImage(directory: OwnedFd, volume: DnsLabel): OwnedFd {
  let handle: OwnedFd;
  try {
    handle = openBeneath(directory, IMAGE, { flags: O_PATH });
  } catch (error) {
    if (!(error instanceof SystemCallError) || error.code !== 'ELOOP') throw error;
    throw new Error(`${IMAGE} of volume ${volume} is a symbolic link; a disk image must be a plain file`, {
      cause: error,
    });
  }
  const fault = notPlain(fstatSync(handle.fd));
  if (fault === undefined) return handle;
  handle.close();
  throw new Error(
    `${IMAGE} of volume ${volume} ${fault}; a disk image must be a plain file that nobody has under another name`,
  );
}

/** The directory of this mount namespace that the Pod has mounted; undefined: it is not to be seen here. */
function sameDirectoryHere(mount: Mount, seen: OwnedFd): OwnedFd | undefined {
  const wanted = fstatSync(seen.fd);
  for (const path of placesHere(mount, listMounts())) {
    let handle: OwnedFd;
    try {
      handle = new OwnedFd(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
    } catch {
      continue; // hidden by another mount, or gone: another place may show it
    }
    const stats = fstatSync(handle.fd);
    if (stats.dev === wanted.dev && stats.ino === wanted.ino) return handle;
    handle.close();
  }
  return undefined;
}

/** Where `mounts` show the directory of `mount`, nearest first. Pure. */
export function placesHere({ device, root }: Mount, mounts: readonly Mount[]): readonly string[] {
  return mounts
    .filter((other) => other.device === device && isWithin(root, other.root))
    .toSorted((a, b) => b.root.length - a.root.length)
    .map((other) => `${other.mountPoint}${root.slice(other.root === '/' ? 0 : other.root.length)}`)
    .map((path) => path.replace(/^\/\//, '/'));
}

function isWithin(path: string, directory: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}
