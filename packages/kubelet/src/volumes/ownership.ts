/** fsGroup: the Pod's group owns its volumes. */
import { chmodSync, type Stats } from 'node:fs';
import { chmod, chown, stat } from 'node:fs/promises';
import type { Pod } from '@podvisor/api';
import { run, visitBeneath } from '@podvisor/sys';

export function fsGroupOf(pod: Pod): number | undefined {
  return pod.spec.securityContext?.fsGroup;
}

/** A directory that we just made. */
export async function ownDirectory(path: string, mode: number, fsGroup: number | undefined): Promise<void> {
  if (fsGroup !== undefined) await chown(path, 0, fsGroup);
  // The setgid bit hands the group on to what is made inside. After chown, which clears it.
  await chmod(path, fsGroup === undefined ? mode : mode | 0o2070);
}

/** Content that others wrote: everything below gets the group, and its members may write. */
export async function ownTree(path: string, pod: Pod): Promise<void> {
  const fsGroup = fsGroupOf(pod);
  if (fsGroup === undefined) return;
  const root = await stat(path);
  const matches = root.gid === fsGroup && (root.mode & 0o2070) === 0o2070;
  if (matches && pod.spec.securityContext?.fsGroupChangePolicy === 'OnRootMismatch') return;
  // It changes links themselves. chmod cannot: it looks at a name and then follows it, and a Pod that has the claim as
  // well may have put a link there in between.
  await run('chgrp', ['-R', '-h', '-P', String(fsGroup), path], { timeoutMs: 600_000 });
  await visitBeneath(path, (entry, stats) => {
    const mode = forGroup(stats);
    if (mode !== (stats.mode & 0o7777)) chmodSync(entry.procPath, mode);
  });
  await chmod(path, (root.mode & 0o7777) | 0o2070);
}

/** `g+rwX` of chmod(1). */
function forGroup(stats: Stats): number {
  const mode = stats.mode & 0o7777;
  return mode | (stats.isDirectory() || (mode & 0o111) !== 0 ? 0o070 : 0o060);
}
