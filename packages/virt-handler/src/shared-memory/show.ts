/** Shows memory to a launcher Pod while it loads its guest, and takes it away again: QEMU keeps what it has mapped. */
import { constants, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { HIBERNATION_VOLUME, launcherPaths, SHARED_MEMORY } from '@podvisor/api';
import { notPlain } from '@podvisor/storage';
import {
  attachTree,
  cloneTree,
  O_PATH,
  openBeneath,
  openDirectory,
  OwnedFd,
  parseMountinfo,
} from '@podvisor/sys';
import { clear } from '../volumes/plug.ts';

/** Read-only, whatever the launcher tries. `directory`: where the Pod has plugged disks. */
export function showMemory(directory: string, memory: OwnedFd): void {
  using target = openDirectory(directory);
  clear(target, SHARED_MEMORY);
  mkdirSync(`${target.procPath}/${SHARED_MEMORY}`, { mode: 0o755 });
  using place = openBeneath(target, SHARED_MEMORY, { flags: O_PATH });
  if (!fstatSync(place.fd).isDirectory())
    throw new Error('the place of shared memory was changed by somebody while it was shown');
  using tree = cloneTree(memory, { flags: ['ro', 'nosuid', 'nodev', 'noexec'] });
  attachTree(tree, place);
}

/** Idempotent. A Pod that is gone has taken everything with it. */
export function hideMemory(directory: string): void {
  let target: OwnedFd;
  try {
    target = openDirectory(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  using handle = target;
  clear(handle, SHARED_MEMORY);
}

const statePlaces = (): readonly string[] => {
  const within = `${launcherPaths().privateDir}/${HIBERNATION_VOLUME}`;
  return [within.replace(/^\/var\/run\//, '/run/'), within];
};

/** Which file system has the state of a launcher's guest (`major:minor`); undefined: none. Asks no storage. */
export function stateStorage(pid: number): string | undefined {
  const places = statePlaces();
  return parseMountinfo(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')).findLast(({ mountPoint }) =>
    places.includes(mountPoint),
  )?.device;
}

/** The state on the claim of a launcher whose root is open. Undefined: there is none. The caller closes it. */
export function openStateFile(root: OwnedFd, id: string): OwnedFd | undefined {
  for (const place of statePlaces()) {
    try {
      using found = openBeneath(root, `${place.slice(1)}/state-${id}`, { flags: O_PATH });
      if (notPlain(fstatSync(found.fd)) !== undefined) return undefined;
      return new OwnedFd(openSync(found.procPath, constants.O_RDONLY));
    } catch {
      // The other place, or none.
    }
  }
  return undefined;
}
