/** hostPath: a path of the machine, checked for what it should be. */
import { lstat, mkdir, stat, writeFile } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { HANDLER_STATE_DIR, type PodVolume } from '@podvisor/api';
import type { KubeletContext } from '../context.ts';
import { type MountedVolume, VolumeError } from './types.ts';

const CHECKS: Readonly<Record<string, (stats: Stats) => boolean>> = {
  Directory: (s) => s.isDirectory(),
  DirectoryOrCreate: (s) => s.isDirectory(),
  File: (s) => s.isFile(),
  FileOrCreate: (s) => s.isFile(),
  Socket: (s) => s.isSocket(),
  CharDevice: (s) => s.isCharacterDevice(),
  BlockDevice: (s) => s.isBlockDevice(),
};

export async function setUpHostPath(volume: PodVolume, kubelet: KubeletContext): Promise<MountedVolume> {
  const { path: named = '', type = '' } = volume.hostPath ?? {};
  const path = pathOnNode(named, kubelet);
  if (type === 'DirectoryOrCreate') await mkdir(path, { recursive: true, mode: 0o755 });
  if (type === 'FileOrCreate' && !(await exists(path))) {
    if (!(await exists(dirname(path))))
      throw new VolumeError(`hostPath ${path}: its directory does not exist`);
    await writeFile(path, '', { flag: 'wx', mode: 0o644 });
  }
  const check = CHECKS[type];
  if (type !== '' && check === undefined) throw new VolumeError(`hostPath ${path}: unknown type ${type}`);
  if (!(await exists(path))) throw new VolumeError(`hostPath type check failed: ${path} does not exist`);
  if (check !== undefined && !check(await stat(path))) {
    throw new VolumeError(
      `hostPath type check failed: ${path} is not a ${type.replace('OrCreate', '').toLowerCase()}`,
    );
  }
  return { kind: 'files', path, readOnly: false };
}

/**
 * Several nodes share this machine, and each has its own of what a machine has once: the directory of its kubelet,
 * and that in which its virt-handler keeps state.
 */
export function pathOnNode(path: string, { kubeletDir, paths, node }: KubeletContext): string {
  const own: readonly (readonly [string, string])[] = [
    ['/var/lib/kubelet', kubeletDir],
    [HANDLER_STATE_DIR, paths.handler(node.name)],
    ['/run/kubevirt-private', paths.handler(node.name)],
  ];
  const found = own.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return found === undefined ? path : `${found[1]}${path.slice(found[0].length)}`;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
