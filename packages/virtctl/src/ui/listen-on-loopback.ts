/**
 * Listens on one port of both loopback addresses. Browsers resolve names below `.localhost` to `::1` and to `127.0.0.1`
 * and try both: whoever had the same port of the other one would be taken for the page, and be sent its session.
 */
import type { AddressInfo, Server } from 'node:net';

/** Machines without IPv6: nobody listens there. */
const ABSENT = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);
const TRIES = 20;

/** `servers` make one page: the first has `127.0.0.1`, the second `::1`. 0 takes a port that is free on both. */
export async function listenOnLoopback(servers: readonly [Server, Server], port: number): Promise<number> {
  const [four, six] = servers;
  for (let tries = 1; ; tries += 1) {
    await listen(four, '127.0.0.1', port);
    const { port: found } = four.address() as AddressInfo;
    try {
      await listen(six, '::1', found);
      return found;
    } catch (error) {
      if (ABSENT.has(codeOf(error))) return found;
      await new Promise((resolve) => four.close(resolve));
      if (port !== 0 || tries === TRIES) throw error;
    }
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void => {
      const words = `cannot listen on ${host} port ${port}; choose another --port`;
      reject(Object.assign(new Error(words, { cause }), { code: codeOf(cause) }));
    };
    server.once('error', failed);
    server.listen({ host, port, ipv6Only: true }, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
