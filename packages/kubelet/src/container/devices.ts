/** Devices of a container, owned by the user that the container runs as. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from '@podvisor/api';
import { type MountedVolume, VolumeError } from '../volumes/types.ts';
import type { OciDevice } from './oci-types.ts';
import type { ContainerUser } from './user.ts';

export interface GrantedDevice {
  readonly device: OciDevice;
  readonly access: string;
}

/** The host's device node, as it appears in the container. */
export function grantDevice(
  hostPath: string,
  path: string,
  access: string,
  user: ContainerUser,
): GrantedDevice {
  const stats = statSync(hostPath);
  if (!stats.isBlockDevice() && !stats.isCharacterDevice())
    throw new VolumeError(`${hostPath} is not a device`);
  return {
    device: {
      path,
      type: stats.isBlockDevice() ? 'b' : 'c',
      ...deviceNumbers(stats.rdev),
      // Root keeps the host's owner; others could not open the device if it were root's.
      fileMode: stats.mode & 0o777,
      uid: user.uid === 0 ? stats.uid : user.uid,
      gid: user.gid === 0 ? stats.gid : user.gid,
    },
    access,
  };
}

/** As gnu_dev_major and gnu_dev_minor: both numbers are split over the 64 bits. */
export function deviceNumbers(rdev: number): { readonly major: number; readonly minor: number } {
  const bits = BigInt(rdev);
  const major = ((bits >> 8n) & 0xfffn) | ((bits >> 32n) & 0xfffff000n);
  const minor = (bits & 0xffn) | ((bits >> 12n) & 0xffffff00n);
  return { major: Number(major), minor: Number(minor) };
}

/** Block volumes that the container asks for by `volumeDevices`. */
export function volumeDevices(
  container: Container,
  volumes: ReadonlyMap<string, MountedVolume>,
  user: ContainerUser,
): readonly GrantedDevice[] {
  return (container.volumeDevices ?? []).map(({ name, devicePath }) => {
    const volume = volumes.get(name);
    if (volume?.kind !== 'device') throw new VolumeError(`volume "${name}" is not a block device`);
    return grantDevice(volume.path, devicePath, 'rwm', user);
  });
}

/** All devices of the machine, for privileged containers. */
export function hostDevices(directory = '/dev'): readonly GrantedDevice[] {
  const root: ContainerUser = { uid: 0, gid: 0, groups: [], home: '/' };
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory())
      return ['pts', 'shm', 'fd', 'mqueue'].includes(entry.name) ? [] : hostDevices(path);
    const isDevice = (entry.isBlockDevice() || entry.isCharacterDevice()) && entry.name !== 'console';
    return isDevice ? [grantDevice(path, path, 'rwm', root)] : [];
  });
}
