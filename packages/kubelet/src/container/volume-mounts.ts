/** A container's view of the Pod's volumes: bind mounts, subPaths opened safely, devices. */
import { chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Container, VolumeMount } from '@podvisor/api';
import { mountBind, O_PATH, openBeneath, openDirectory, type OwnedFd, SystemCallError } from '@podvisor/sys';
import { type MountedVolume, VolumeError } from '../volumes/types.ts';
import { expand } from './environment.ts';
import type { OciMount } from './oci-types.ts';

/** Mounts for a container; subPaths are bound below `bundle`, where tearing down finds them. */
export async function volumeMounts(
  container: Container,
  volumes: ReadonlyMap<string, MountedVolume>,
  bundle: string,
  env: ReadonlyMap<string, string>,
): Promise<readonly OciMount[]> {
  const mounts: OciMount[] = [];
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    const volume = volumes.get(mount.name);
    if (volume === undefined)
      throw new VolumeError(`container ${container.name} mounts an unknown volume "${mount.name}"`);
    if (volume.kind !== 'files')
      throw new VolumeError(`volume "${mount.name}" is a block device: use volumeDevices`);
    const subPath = mount.subPathExpr === undefined ? (mount.subPath ?? '') : expand(mount.subPathExpr, env);
    const source =
      subPath === '' ? volume.path : await bindSubPath(volume, subPath, join(bundle, 'subpaths', String(i)));
    mounts.push({
      destination: mount.mountPath,
      type: 'bind',
      source,
      options: ['rbind', mount.readOnly === true || volume.readOnly ? 'ro' : 'rw', propagation(mount)],
    });
  }
  return mounts;
}

function propagation(mount: VolumeMount): string {
  switch (mount.mountPropagation ?? 'None') {
    case 'HostToContainer':
      return 'rslave';
    case 'Bidirectional':
      return 'rshared';
    default:
      return 'rprivate';
  }
}

type Files = Extract<MountedVolume, { kind: 'files' }>;

/**
 * The content of a volume is the tenant's: the subPath is walked by the kernel, beneath the volume and
 * without symbolic links, and what was opened is what gets mounted.
 */
async function bindSubPath(volume: Files, subPath: string, target: string): Promise<string> {
  using opened = openSubPath(volume, subPath);
  const isDirectory = statSync(opened.procPath).isDirectory();
  if (isDirectory) await mkdir(target, { recursive: true });
  else {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, '');
  }
  mountBind(opened.procPath, target);
  return target;
}

function openSubPath(volume: Files, subPath: string): OwnedFd {
  // Projected files are links through `..data`, made by us and out of the tenant's reach.
  const data = volume.isProjected === true ? dataDirectory(volume.path) : undefined;
  try {
    return openBeneath(data ?? volume.path, subPath, { flags: O_PATH });
  } catch (error) {
    const isMissing = error instanceof SystemCallError && error.code === 'ENOENT';
    // As Kubernetes has it: a key that is not there, also of a config map or secret, is an empty directory.
    if (isMissing && (!volume.readOnly || data !== undefined)) return makeBeneath(volume.path, subPath);
    throw new VolumeError(
      `subPath "${subPath}" cannot be opened: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

function dataDirectory(path: string): string | undefined {
  try {
    return statSync(join(path, '..data')).isDirectory() ? join(path, '..data') : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the directories of a subPath one by one, each below a handle on its parent, as open as the volume is. */
function makeBeneath(base: string, subPath: string): OwnedFd {
  let current = openDirectory(base);
  const mode = statSync(current.procPath).mode & 0o777;
  for (const part of subPath.split('/').filter((p) => p !== '' && p !== '.')) {
    if (part === '..') throw new VolumeError(`subPath "${subPath}" must not contain ".."`);
    using parent = current;
    const isMade = makeDirectory(`${parent.procPath}/${part}`);
    current = openBeneath(parent, part, { flags: O_PATH | constants.O_DIRECTORY });
    // The process's own mask must not narrow it. By handle: at its name there may be a link by now.
    if (isMade) chmodSync(current.procPath, mode);
  }
  return current;
}

/** False: something is there already. */
function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
