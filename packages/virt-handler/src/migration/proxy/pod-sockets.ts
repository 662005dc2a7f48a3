/** Connects to sockets in a launcher Pod: beneath a handle, without links, and only to the Pod's own launcher user. */
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { MIGRATION_CHANNELS, type MigrationChannel, migrationSocketName } from '@podvisor/api';
import type { Uid } from '@podvisor/base';
import { O_PATH, openBeneath, peerCredentials } from '@podvisor/sys';
import { limitPod } from './backlog.ts';
import { isLauncher, type SocketChecks, socketsDirectory } from '../../launcher-client/socket.ts';

/** Where libvirtd listens, below the Pod's `libvirt-runtime` volume. */
const LIBVIRT_SOCKET = 'r/libvirt/libvirt-sock';

/** The target's socket of a channel. */
export async function dialTarget(
  kubeletDir: string,
  podUid: Uid,
  migrationUid: Uid,
  channel: MigrationChannel,
  checks: SocketChecks = {},
): Promise<Socket> {
  const sockets = socketsDirectory(kubeletDir, podUid);
  const [directory, name] =
    channel === MIGRATION_CHANNELS.libvirt
      ? [join(sockets, '..', 'libvirt-runtime'), LIBVIRT_SOCKET]
      : [sockets, migrationSocketName(migrationUid, channel, 'target')];
  using handle = openBeneath(directory, name, { flags: O_PATH });
  const socket = createConnection({ path: handle.procPath, allowHalfOpen: true });
  socket.pause(); // whoever carries its bytes reads them, from the first on
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const peer = peerCredentials(socket);
  if (isLauncher(peer, podUid, checks)) {
    limitPod(socket);
    return socket;
  }
  socket.destroy();
  throw new Error(
    `process ${peer.pid} of user ${peer.uid} listens where the launcher of Pod ${podUid} should`,
  );
}
