/** Finds the hook sidecars of the Pod: each container makes a socket in a directory of its own name. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, messageOf, sleep } from '@podvisor/base';
import { LauncherError } from '../launcher-error.ts';
import { byDeclaration, type SidecarInfo } from './sidecar.ts';

export interface DiscoverOptions {
  readonly directory: string;
  /** How many sidecars the Pod declares. */
  readonly count: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Asks the sidecar at `socket` who it is. */
  readonly ask: (socket: string, signal: AbortSignal) => Promise<Omit<SidecarInfo, 'socket'>>;
}

const LOOK_EVERY_MS = 100;

/** Waits until every declared sidecar has answered; in the order of their declaration. */
export async function discoverSidecars(
  options: DiscoverOptions,
  signal: AbortSignal,
): Promise<readonly SidecarInfo[]> {
  const { directory, count, timeoutMs, clock, ask } = options;
  const known = new Map<string, SidecarInfo>();
  const deadline = clock.elapsed() + timeoutMs;
  let complaint = '';
  for (;;) {
    for (const socket of await socketsIn(directory)) {
      if (known.has(socket)) continue;
      await ask(socket, signal).then(
        (info) => known.set(socket, { ...info, socket }),
        // The socket may be there a moment before its server answers.
        (error: unknown) => {
          complaint = `; the last one said: ${messageOf(error)}`;
        },
      );
    }
    if (known.size >= count) break;
    if (clock.elapsed() >= deadline)
      throw new LauncherError(
        `only ${known.size} of ${count} hook sidecars answered within ${timeoutMs / 1000} s${complaint}`,
      );
    await sleep(clock, LOOK_EVERY_MS, signal);
  }
  return [...known.values()].toSorted((one, other) => byDeclaration(one.socket, other.socket));
}

async function socketsIn(directory: string): Promise<readonly string[]> {
  const containers = await names(directory);
  const sockets = await Promise.all(
    containers.map(async (container) =>
      (await names(join(directory, container)))
        .filter((name) => name.endsWith('.sock'))
        .map((name) => join(directory, container, name)),
    ),
  );
  return sockets.flat();
}

/** What is not there (yet), or is no directory, holds nothing. */
function names(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
