/** Sockets of containers that hold images: found beneath a directory that is a tenant's, without links. */
import { fstatSync } from 'node:fs';
import { systemClock } from '@podvisor/base';
import { BoundedWatch, O_PATH, openBeneath, type OwnedFd, SystemCallError } from '@podvisor/sys';

/** A container that runs has its socket within milliseconds; after this the caller tries again later. */
const PATIENCE_MS = 5_000;

/** The socket, which may come in a moment. The caller closes the handle. */
export async function awaitSocket(
  directory: string,
  name: string,
  patienceMs = PATIENCE_MS,
): Promise<OwnedFd> {
  let changed = Promise.withResolvers<void>();
  const wake = (): void => changed.resolve();
  using _watch = new BoundedWatch(directory, { clock: systemClock, onChange: wake, onEnd: wake });
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    wake();
  }, patienceMs);
  try {
    while (!isOver) {
      // Before the look: what comes during it is looked at again.
      changed = Promise.withResolvers<void>();
      const handle = find(directory, name);
      if (handle !== undefined) return handle;
      await changed.promise;
    }
    throw new Error(`there is no ${name} yet`);
  } finally {
    clearTimeout(timer);
  }
}

function find(directory: string, name: string): OwnedFd | undefined {
  let handle: OwnedFd;
  try {
    handle = openBeneath(directory, name, { flags: O_PATH });
  } catch (error) {
    if (error instanceof SystemCallError && error.code === 'ENOENT') return undefined;
    throw error;
  }
  if (fstatSync(handle.fd).isSocket()) return handle;
  handle.close();
  throw new Error(`${name} is not a socket`);
}
