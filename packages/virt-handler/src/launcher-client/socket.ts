/**
 * Finds and checks the command socket of a launcher Pod. The directory is the tenant's: the socket is
 * opened beneath it without links, and the process that listens there must be the launcher's user inside
 * that very Pod. What we return is a handle on the checked socket, so that nothing can be swapped later.
 */
import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, type Uid } from '@podvisor/base';
import {
  idOnNode,
  isProcessInPod,
  O_PATH,
  type OwnedFd,
  openBeneath,
  type PeerCredentials,
  SystemCallError,
} from '@podvisor/sys';
import { listenerOf } from './listener.ts';

export const LAUNCHER_SOCKET = 'launcher-sock';
/** User that launchers run as. */
export const LAUNCHER_UID = 107;

/** The socket is not there yet, is dead, or must not be trusted. */
export class LauncherSocketError extends Error {
  readonly kind: 'missing' | 'refused' | 'untrusted';

  constructor(kind: LauncherSocketError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LauncherSocketError';
    this.kind = kind;
  }
}

/** Directory of the Pod's `sockets` volume on this node. */
export function socketsDirectory(kubeletDir: string, podUid: Uid): string {
  return join(kubeletDir, 'pods', podUid, 'volumes', 'kubernetes.io~empty-dir', 'sockets');
}

export interface CheckedSocket {
  /** Handle on the socket; closing it ends the possibility to dial. */
  readonly handle: OwnedFd;
  /** The launcher's process as this node sees it. */
  readonly peer: PeerCredentials;
}

export interface SocketChecks {
  /** User that must listen, as this node knows him; default: 107 of the Pod's user namespace. */
  readonly uid?: number;
  /** True when the process belongs to the Pod; default: its cgroup names the Pod. */
  readonly isInPod?: (pid: number, podUid: Uid) => boolean;
}

/** True when the process at the other end is the launcher's user in that very Pod. */
export function isLauncher(peer: PeerCredentials, podUid: Uid, checks: SocketChecks = {}): boolean {
  return peer.uid === launcherUid(peer, checks) && (checks.isInPod ?? isProcessInPod)(peer.pid, podUid);
}

function launcherUid({ pid }: PeerCredentials, checks: SocketChecks): number | undefined {
  return checks.uid ?? idOnNode(pid, LAUNCHER_UID);
}

/** Opens, dials once and checks. Throws LauncherSocketError. */
export async function openLauncherSocket(
  directory: string,
  podUid: Uid,
  checks: SocketChecks = {},
): Promise<CheckedSocket> {
  const handle = openSocket(directory, LAUNCHER_SOCKET);
  try {
    const peer = await listenerOf(handle).catch((cause: unknown) => {
      throw new LauncherSocketError('refused', 'nobody listens on the launcher socket', { cause });
    });
    const uid = launcherUid(peer, checks);
    if (peer.uid !== uid)
      throw new LauncherSocketError(
        'untrusted',
        `user ${peer.uid} listens on the launcher socket, not ${uid ?? `${LAUNCHER_UID} of its Pod`}`,
      );
    if (!(checks.isInPod ?? isProcessInPod)(peer.pid, podUid))
      throw new LauncherSocketError(
        'untrusted',
        `process ${peer.pid} on the launcher socket is not in Pod ${podUid}`,
      );
    return { handle, peer };
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** A handle on a socket of the Pod, not yet dialled. Throws LauncherSocketError. */
export function openSocket(directory: string, name: string): OwnedFd {
  let handle: OwnedFd;
  try {
    handle = openBeneath(directory, name, { flags: O_PATH });
  } catch (error) {
    const code = error instanceof SystemCallError ? error.code : (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new LauncherSocketError('missing', `the launcher has no ${name} yet`);
    throw new LauncherSocketError(
      'untrusted',
      `${name} of the launcher cannot be opened: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
  if (fstatSync(handle.fd).isSocket()) return handle;
  handle.close();
  throw new LauncherSocketError('untrusted', `${name} of the launcher is not a socket`);
}
