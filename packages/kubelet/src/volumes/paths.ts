/** Where volumes of a Pod are, with the names that every kubelet uses. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listMounts } from '@podvisor/sys';
import { type KubeletContext, podDirectory } from '../context.ts';

export function volumeDirectory(context: KubeletContext, uid: string, plugin: string, name: string): string {
  return join(podDirectory(context, uid), 'volumes', `kubernetes.io~${plugin}`, name);
}

/** Makes the directory; true when it was not there before. */
export async function makeDirectory(path: string, mode = 0o750): Promise<boolean> {
  if (existsSync(path)) return false;
  await mkdir(path, { recursive: true, mode });
  return true;
}

export function isMountPoint(path: string): boolean {
  return listMounts().some((mount) => mount.mountPoint === path);
}
