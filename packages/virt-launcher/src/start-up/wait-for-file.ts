/**
 * Waits until a path exists. By looking, not by inotify: Node keeps the instance of its first watch until it ends, and a
 * kernel gives a user 128 (fs.inotify.max_user_instances), so that a node with a watch in each launcher held 120 guests,
 * and then failed wherever something else wanted to watch. What is waited for comes within fractions of a second.
 */
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 5;

/** Resolves when `path` exists. Rejects with the signal's reason. */
export async function waitForFile(path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (existsSync(path)) return;
    // Its own rejection says only that it was aborted; the loop says why.
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
