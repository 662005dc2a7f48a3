/**
 * Device nodes in the Pod belong to root where the kubelet cannot give them to a user. QEMU's user gets
 * them here, best effort: the launcher says clearly what it cannot open.
 */
import { chownSync, fstatSync } from 'node:fs';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { O_PATH, openBeneath } from '@podvisor/sys';
import type { PodAccess } from '../network/pod-access.ts';

const DEVICES = ['dev/kvm', 'dev/net/tun', 'dev/vhost-net'];

/** Gives the standard devices and these block volumes, as far as they exist, to QEMU's user. */
export function claimDevices(
  { root, qemuUser }: Pick<PodAccess, 'root' | 'qemuUser'>,
  blockVolumes: readonly string[],
  log: Log,
): void {
  for (const path of [...DEVICES, ...blockVolumes.map((v) => `dev/${v}`)]) {
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
