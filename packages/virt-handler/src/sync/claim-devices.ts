/**
 * Device nodes in the Pod belong to root where the kubelet cannot give them to a user. QEMU's user gets
 * them here, best effort: the launcher says clearly what it cannot open.
 */
import { chownSync, constants, fstatSync, readdirSync } from 'node:fs';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { O_PATH, openBeneath, type OwnedFd } from '@podvisor/sys';
import type { PodAccess } from '../network/pod-access.ts';

const DEVICES = ['dev/kvm', 'dev/net/tun', 'dev/vhost-net'];
/** Where host devices are; a container sees those that it was given, and no others. */
const HOST_DEVICES = ['dev/vfio', 'dev/bus/usb'];
/** Of `/dev/bus/usb`: one directory a bus, one node a device. */
const MAX_DEPTH = 2;
const MAX_ENTRIES = 4096;

/**
 * Gives the standard devices, the host devices of the Pod and these block volumes, as far as they exist, to QEMU's
 * user. The nodes are the Pod's own: the node's are left as they are.
 */
export function claimDevices(
  { root, qemuUser }: Pick<PodAccess, 'root' | 'qemuUser'>,
  blockVolumes: readonly string[],
  log: Log,
): void {
  const given = HOST_DEVICES.flatMap((directory) => nodesBelow(root, directory));
  for (const path of [...DEVICES, ...given, ...blockVolumes.map((v) => `dev/${v}`)]) {
    try {
      using node = openBeneath(root, path, { flags: O_PATH });
      const stat = fstatSync(node.fd);
      const isDevice = stat.isCharacterDevice() || stat.isBlockDevice();
      if (isDevice && stat.uid !== qemuUser) chownSync(node.procPath, qemuUser, qemuUser);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
        log.warn({ device: path, error: messageOf(error) }, 'device could not be given to QEMU');
    }
  }
}

/** Paths of what is no directory below `directory`; none when it is not there. */
function nodesBelow(root: OwnedFd, directory: string, depth = MAX_DEPTH): readonly string[] {
  try {
    using handle = openBeneath(root, directory, { flags: constants.O_RDONLY | constants.O_DIRECTORY });
    const entries = readdirSync(handle.procPath, { withFileTypes: true }).slice(0, MAX_ENTRIES);
    return entries.flatMap((entry) => {
      const path = `${directory}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return depth > 1 ? nodesBelow(root, path, depth - 1) : [];
    });
  } catch {
    return []; // The Pod has no such devices.
  }
}
