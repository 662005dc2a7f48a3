/**
 * Joins two byte streams. Each side is read only as fast as the other takes it, so a guest that floods its
 * console, or a viewer that does not read, costs no memory here. The end of one is the end of both.
 */
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Resolves when both directions have ended; never rejects: a broken connection is an end like any other. */
export async function relay(left: Duplex, right: Duplex): Promise<void> {
  const end = (): void => {
    left.destroy();
    right.destroy();
  };
  const flow = (from: Duplex, to: Duplex): Promise<void> =>
    pipeline(from, to)
      .catch(() => undefined)
      .finally(end);
  await Promise.all([flow(left, right), flow(right, left)]);
}
