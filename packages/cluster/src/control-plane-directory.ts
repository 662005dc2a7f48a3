/** The one directory that the control plane writes into, made and given to its user by the node agent. */
import { existsSync, lchownSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { componentUser, type InstanceConfig, type InstancePaths } from '@podvisor/sys';

/** Homes of before the control plane had a user kept the store at their top. Idempotent. */
export function moveFormerStore(paths: InstancePaths): void {
  mkdirSync(paths.controlPlane, { recursive: true, mode: 0o700 });
  // The database comes last: who is interrupted finds log and database together, at one place or the other.
  for (const file of ['store.db-wal', 'store.db-shm', 'store.db']) {
    const former = join(paths.home, file);
    if (existsSync(former)) renameSync(former, join(paths.controlPlane, file));
  }
}

/** Once: afterwards root touches nothing in a directory that is another's. */
export function giveToControlPlane(paths: InstancePaths, { name }: Pick<InstanceConfig, 'name'>): void {
  const user = componentUser(name, 'control-plane');
  if (process.getuid?.() !== 0 || statSync(paths.controlPlane).uid === user) return;
  for (const file of readdirSync(paths.controlPlane)) lchownSync(join(paths.controlPlane, file), user, user);
  lchownSync(paths.controlPlane, user, user);
}
