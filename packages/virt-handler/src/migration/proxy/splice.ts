/** Joins two connections into one: bytes go both ways as fast as the slower side takes them, ends are passed on. */
import type { Duplex } from 'node:stream';

/** Both allow half-open connections. Resolves when both are closed. Either of them breaking breaks the other. */
export function splice(one: Duplex, other: Duplex): Promise<void> {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    // After a clean end `pipe` has ended the other side, which still may have bytes to deliver.
    from.on('close', () => {
      if (!from.readableEnded || from.errored !== null) to.destroy();
    });
  }
  const closed = (stream: Duplex): Promise<void> =>
    stream.closed ? Promise.resolve() : new Promise((resolve) => stream.once('close', () => resolve()));
  return Promise.all([closed(one), closed(other)]).then(() => undefined);
}
