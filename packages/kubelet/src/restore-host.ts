/** For `down --purge`, after all Pods are gone: gives the machine back as it was found. */
import { rm } from 'node:fs/promises';
import { type InstanceConfig, type InstancePaths, removeCgroup, unmountBelow } from '@podvisor/sys';
import { launcherRootDirectory, removeLauncherRoot } from './images/launcher-root.ts';
import { restoreHostNetwork } from './network/node-network.ts';

/** Removes bridge, table, control groups and mounts of the instance; puts `ip_forward` back. Idempotent. */
export async function restoreHost(config: InstanceConfig, paths: InstancePaths): Promise<void> {
  await restoreHostNetwork(config);
  await unmountBelow(paths.home);
  await removeLauncherRoot(launcherRootDirectory(paths.images));
  removeCgroup(`/podvisor/${config.name}`);
  await rm(`/run/podvisor/${config.name}`, { recursive: true, force: true });
}
