/**
 * Port-forward over a websocket without SPDY inside, as the official Python and JavaScript clients do it: the ports
 * are in the query, each has two channels (data, then errors), and every message begins with its channel's number.
 * Each channel first says its port in two bytes, the lower one first. A channel has no end: the connection closes
 * when the last port's connection is over.
 */
import type { Duplex } from 'node:stream';
import { messageOf } from '@podvisor/base';
import type { WebSocket } from 'ws';
import type { NodeProxy, PodRef } from '@podvisor/home-contract';
import { badRequest } from '../wire/status.ts';
import { channelWriter } from './websocket-streams.ts';

/** Channels are numbered by one byte. */
const MAX_PORTS = 127;

/** The ports that a query names (`ports=80&ports=81,82`). Throws 400. */
export function portsOf(query: URLSearchParams): readonly number[] {
  const ports = query
    .getAll('ports')
    .flatMap((list) => list.split(','))
    .map((text) => {
      const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
      if (port < 1 || port > 65_535) throw badRequest(`unable to parse "${text}" as a port`);
      return port;
    });
  if (ports.length === 0) throw badRequest('query parameter "ports" is required');
  if (ports.length > MAX_PORTS) throw badRequest(`no more than ${MAX_PORTS} ports at once`);
  return ports;
}

/** Joins each port's channels to a connection of its own. */
export function serveChannels(
  socket: WebSocket,
  ports: readonly number[],
  nodeProxy: NodeProxy,
  pod: PodRef,
  signal: AbortSignal,
): void {
  const targets = new Map<number, Promise<Duplex>>();
  socket.on('error', () => socket.terminate());
  socket.on('message', (data: Buffer) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data);
    const target = targets.get(bytes[0] ?? -1);
    if (target !== undefined && bytes.length > 1) void feed(socket, target, bytes.subarray(1));
  });
  const forward = async (port: number, channel: number): Promise<void> => {
    const opened = nodeProxy.portForward(pod, port, signal);
    targets.set(channel, opened);
    const name = Buffer.alloc(2);
    name.writeUInt16LE(port);
    for (const number of [channel, channel + 1]) socket.send(Buffer.concat([Buffer.from([number]), name]));
    try {
      await carry(socket, await opened, channel);
    } catch (error) {
      channelWriter(socket, channel + 1).write(
        `error forwarding port ${port} to pod ${pod.uid}: ${messageOf(error)}`,
      );
    }
  };
  void Promise.all(ports.map((port, i) => forward(port, 2 * i))).then(() => socket.close(1000));
}

/** Resolves when the connection is over and all of it was sent. */
function carry(socket: WebSocket, target: Duplex, channel: number): Promise<void> {
  const gone = (): void => void target.destroy();
  socket.once('close', gone);
  return new Promise<void>((resolve, reject) => {
    const out = channelWriter(socket, channel);
    out.once('finish', resolve);
    target.once('error', reject);
    target.once('close', resolve);
    target.pipe(out);
  }).finally(() => {
    socket.off('close', gone);
    target.destroy();
  });
}

/** A connection that does not take more makes the client wait. What comes for one that is over is dropped. */
async function feed(socket: WebSocket, target: Promise<Duplex>, bytes: Buffer): Promise<void> {
  const to = await target.catch(() => undefined);
  if (to === undefined || to.destroyed || to.writableEnded || to.write(bytes)) return;
  socket.pause();
  const go = (): void => {
    to.off('drain', go).off('close', go);
    socket.resume();
  };
  to.once('drain', go).once('close', go);
}
