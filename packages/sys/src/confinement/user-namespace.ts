/**
 * User namespaces: the ids 0 to 65535 of a container are others on the machine, where they own nothing and have no
 * rights. Mounts carry the same mapping (mapped-mounts.ts), so that on disk 107 stays 107.
 */
import {
  chmodSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { mountTree, unmountNow } from '../files/mapped-mounts.ts';
import { nameNetns, removeNetns } from '../network/netns.ts';
import { withNewNamespaces } from './new-namespaces.ts';
import { OwnedFd } from '../files/owned-fd.ts';

/** Ids in the user namespace of a Pod, users and groups alike; as kubelets have it. */
export const USER_RANGE_SIZE = 65_536;

/** A namespace that maps 0 to `first` and so on. It lives as long as the handle or a mount that uses it. */
export function openUserNamespace(first: number): Promise<OwnedFd> {
  return withNewNamespaces(['--user'], (pid) => {
    writeMaps(pid, first);
    return Promise.resolve(new OwnedFd(openSync(`/proc/${pid}/ns/user`, constants.O_RDONLY)));
  });
}

/**
 * A user namespace bound at the trusted `path`, and a network namespace `netns` that belongs to it, so that who is
 * in the one may enter the other. What was bound there before is replaced.
 */
export async function bindUserNamespace(first: number, path: string, netns: string): Promise<void> {
  releaseUserNamespace(path);
  removeNetns(netns);
  // A namespace is a file that everybody may read. A directory that was there is somebody's, and stays as it is.
  if (mkdirSync(dirname(path), { recursive: true, mode: 0o755 }) !== undefined)
    chmodSync(dirname(path), 0o700);
  await withNewNamespaces(['--user', '--net'], async (pid) => {
    writeMaps(pid, first);
    await nameNetns(netns, pid);
    writeFileSync(path, '', { mode: 0o600 });
    mountTree(`/proc/${pid}/ns/user`, path);
  });
}

/** Unbinds it; what uses it keeps it. Nothing there is fine. */
export function releaseUserNamespace(path: string): void {
  unmountNow(path);
  rmSync(path, { force: true });
}

function writeMaps(pid: number, first: number): void {
  const map = `0 ${first} ${USER_RANGE_SIZE}\n`;
  for (const kind of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${kind}`, map);
}

/**
 * The id on this machine of user and group `id` of process `pid`; undefined when the process has a namespace that
 * whoever runs containers here did not make. The kernel tells, and nobody in a container can forge it: a process
 * without privilege on the machine can map its own id alone, and the privileged one of a container only what the
 * container has, which is the same mapping again when it maps all of it.
 */
export function idOnNode(pid: number, id: number): number | undefined {
  try {
    if (namespaceOf(pid) === namespaceOf('self')) return id;
    const [uids, gids] = ['uid_map', 'gid_map'].map((kind) =>
      mappedId(readFileSync(`/proc/${pid}/${kind}`, 'utf8'), id),
    );
    return uids === gids ? uids : undefined;
  } catch {
    return undefined; // The process ended in the meantime: it is nobody.
  }
}

function namespaceOf(pid: number | 'self'): number {
  return statSync(`/proc/${pid}/ns/user`).ino;
}

/** Reads `/proc/PID/uid_map` (user_namespaces(7)): one range from 0 on, of at least the usual size. Pure. */
export function mappedId(map: string, id: number): number | undefined {
  const [, inside, first, size] = /^\s*(\d+)\s+(\d+)\s+(\d+)\n?$/.exec(map)?.map(Number) ?? [];
  if (inside !== 0 || first === undefined || size === undefined) return undefined;
  return size >= USER_RANGE_SIZE && id < size ? first + id : undefined;
}
