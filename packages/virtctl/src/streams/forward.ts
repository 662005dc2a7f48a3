/** Local sockets whose traffic goes to a guest: one tunnel a connection (tcp) or a sender (udp). */
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { messageOf } from '@podvisor/base';
import type { WebSocket } from 'ws';
import { log, type Shell } from '../shell.ts';
import type { ForwardedPort } from './ports.ts';
import { relaySocket } from './relay.ts';

/** Opens a tunnel to the guest. */
export type OpenTunnel = (port: ForwardedPort) => Promise<WebSocket>;

/** Listens on `address`; resolves with a function that stops listening. */
export function startForwarding(
  address: string,
  port: ForwardedPort,
  open: OpenTunnel,
  shell: Shell,
): Promise<() => void> {
  return port.protocol === 'tcp'
    ? forwardTcp(address, port, open, shell)
    : forwardUdp(address, port, open, shell);
}

async function forwardTcp(
  address: string,
  port: ForwardedPort,
  open: OpenTunnel,
  shell: Shell,
): Promise<() => void> {
  const server: Server = createServer({ noDelay: true }, (client) => {
    log(shell, 'info', `opening new tcp tunnel to ${port.remote}`);
    client.on('error', () => client.destroy());
    open(port).then(
      (tunnel) => {
        log(shell, 'info', `handling tcp connection for ${port.local}`);
        return relaySocket(tunnel, client);
      },
      (error: unknown) => {
        log(shell, 'error', `can't access ${port.remote}: ${messageOf(error)}`);
        client.destroy();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port.local, address, resolve);
  });
  const bound = server.address();
  const local = typeof bound === 'object' && bound !== null ? bound.port : port.local;
  log(shell, 'info', `forwarding tcp ${address}:${local} to ${port.remote}`);
  return () => server.close();
}

/** A sender that says nothing for so long has gone. */
const UDP_IDLE_MS = 60_000;
/** Senders at a time; further ones are dropped, as UDP may drop. */
const UDP_SENDERS = 256;
/** Datagrams kept while a tunnel opens. */
const UDP_WAITING = 64;

interface Sender {
  tunnel: WebSocket | undefined;
  readonly waiting: Buffer[];
  idle: NodeJS.Timeout | undefined;
}

async function forwardUdp(
  address: string,
  port: ForwardedPort,
  open: OpenTunnel,
  shell: Shell,
): Promise<() => void> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const senders = new Map<string, Sender>();
  const drop = (key: string): void => {
    const sender = senders.get(key);
    senders.delete(key);
    clearTimeout(sender?.idle);
    sender?.tunnel?.terminate();
  };
  const stay = (key: string, sender: Sender): void => {
    clearTimeout(sender.idle);
    sender.idle = setTimeout(() => drop(key), UDP_IDLE_MS);
  };
  const connect = (key: string, from: { readonly address: string; readonly port: number }): Sender => {
    const sender: Sender = { tunnel: undefined, waiting: [], idle: undefined };
    senders.set(key, sender);
    log(shell, 'info', `opening new udp tunnel to ${port.remote}`);
    open(port).then(
      (tunnel) => {
        // Dropped while the tunnel opened: nobody waits for it, and the local socket may be closed.
        if (senders.get(key) !== sender) return tunnel.terminate();
        sender.tunnel = tunnel;
        tunnel.on('message', (data: Buffer) => {
          if (senders.get(key) !== sender) return;
          stay(key, sender);
          socket.send(data, from.port, from.address);
        });
        tunnel.on('close', () => drop(key));
        tunnel.on('error', () => drop(key));
        tunnel.resume();
        for (const datagram of sender.waiting.splice(0)) tunnel.send(datagram);
      },
      (error: unknown) => {
        log(shell, 'error', `can't access ${port.remote}: ${messageOf(error)}`);
        drop(key);
      },
    );
    return sender;
  };
  socket.on('message', (data, from) => {
    const key = `${from.address}:${from.port}`;
    const known = senders.get(key);
    if (known === undefined && senders.size >= UDP_SENDERS) return;
    const sender = known ?? connect(key, from);
    stay(key, sender);
    if (sender.tunnel !== undefined) sender.tunnel.send(data);
    else if (sender.waiting.length < UDP_WAITING) sender.waiting.push(data);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port.local, address, resolve);
  });
  log(shell, 'info', `forwarding udp ${address}:${socket.address().port} to ${port.remote}`);
  return () => {
    for (const key of senders.keys()) drop(key);
    socket.close();
  };
}
