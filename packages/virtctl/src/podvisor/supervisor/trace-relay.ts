/**
 * Passes traces of nodes on to a collector on the machine's loopback, byte for byte. The socket is in the home's run
 * directory, which only root enters; what is said over it is between the exporter and the collector.
 */
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { LocalCollector } from './trace-environment.ts';

/** Further connections wait; an exporter opens one at a time. */
const MAX_CONNECTIONS = 64;

/** Serves until the signal; a collector that is not there is the exporter's to tell. */
export function relayTraces(socket: string, collector: LocalCollector, signal: AbortSignal): Promise<void> {
  rmSync(socket, { force: true });
  const server = createServer((near) => {
    const far = connect(collector);
    near.pipe(far).pipe(near);
    for (const end of [near, far])
      end.on('error', () => {
        near.destroy();
        far.destroy();
      });
  });
  server.maxConnections = MAX_CONNECTIONS;
  // Nobody's VM depends on it.
  server.on('error', (error) => console.error(`traces of nodes are not passed on: ${error.message}`));
  return new Promise((resolve) => {
    server.once('close', resolve);
    signal.addEventListener('abort', () => server.close(), { once: true });
    server.listen(socket);
    server.unref();
  });
}
