/**
 * A passt for one NIC: QEMU connects to a port of the Pod's loopback, the connection becomes passt's standard input,
 * and nobody listens any more. passt ends with QEMU; it is started anew for each connection, so a guest whose NIC
 * was plugged out and in finds one, too.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { PasstConfig } from '@podvisor/api';
import { startProcess } from '@podvisor/sys';
import { LauncherError } from '../launcher-error.ts';
import type { Log } from '../log.ts';

export interface PasstLinkOptions {
  readonly port: number;
  /** The Pod's NIC whose addresses the guest gets. */
  readonly podInterface: string;
  readonly config: PasstConfig;
  readonly log: Log;
}

/** What passt said last, for the log. */
const MAX_WORDS = 2_000;

/** Resolves when QEMU can connect. */
export async function servePasst(options: PasstLinkOptions): Promise<AsyncDisposable> {
  const running = new Set<() => void>();
  // Nothing is read here: the first packets wait in the socket for passt.
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    void handOver(socket, options, running);
  });
  await listen(server, options.port);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const end of running) end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function handOver(
  socket: Socket,
  { podInterface, config, log }: PasstLinkOptions,
  running: Set<() => void>,
): Promise<void> {
  try {
    const args = passtArguments(podInterface, config, fileLimit());
    log.info({ args }, 'starting passt');
    const passt = await startProcess('passt', args, {
      pipe: true,
      connection: socket,
    });
    const end = (): void => passt.kill();
    running.add(end);
    let words = '';
    passt.child.stderr?.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-MAX_WORDS);
    });
    void passt.exited.then(({ code, signal }) => {
      running.delete(end);
      if (code !== 0) log.error({ code, signal, words }, 'passt ended: the guest has no network');
    });
  } catch (error) {
    log.error({ error }, 'passt could not be started: the guest has no network');
  } finally {
    socket.destroy();
  }
}

/** A socket for each port, protocol and family, and some left for the guest's own connections. */
const SOCKETS_PER_PORT = 4;
const SPARE_FILES = 2_000;
/** Ports that are not ephemeral; all of them take this many descriptors. */
const ALL_PORTS = 65_536 - 28_232;

/** The command line. `fileLimit`: how many descriptors passt may have; with fewer than all ports take, the lowest are served. Pure. */
export function passtArguments(
  podInterface: string,
  { tcpPorts, udpPorts, searchDomains }: PasstConfig,
  fileLimit: number,
): readonly string[] {
  const room = Math.max(1, Math.floor((fileLimit - SPARE_FILES) / SOCKETS_PER_PORT));
  const ports = (list: 'all' | readonly number[]): string => {
    if (list === 'all') return room >= ALL_PORTS ? 'all' : `1-${room}`;
    return list.length === 0 ? 'none' : list.join(',');
  };
  return [
    ...['--foreground', '--stderr', '--quiet'],
    ...['--fd', '0'],
    ...['--interface', podInterface],
    // Otherwise what a guest sends to its gateway would reach the loopback of the Pod, where we listen.
    '--no-map-gw',
    ...['--tcp-ports', ports(tcpPorts)],
    ...['--udp-ports', ports(udpPorts)],
    // One only: passt of early 2023 garbles a longer list in its second DHCPv6 answer, which clients then drop.
    ...['--search', searchDomains[0] ?? 'none'],
  ];
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, backlog: 1 }, resolve);
  }).catch((error: unknown) => {
    throw new LauncherError(`port ${port} of the Pod's loopback, where QEMU meets passt, is not free`, {
      cause: error,
    });
  });
}

/** Descriptors that a process of this Pod may have at most. */
function fileLimit(): number {
  const hard = /^Max open files\s+\d+\s+(\d+|unlimited)/m.exec(
    readFileSync('/proc/self/limits', 'utf8'),
  )?.[1];
  return hard === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(hard ?? 1024);
}
