/**
 * A connection to a port of a Pod through the API server: port-forward by channels, as the official Python and
 * JavaScript clients do it. Every message begins with its channel's number: 0 carries the bytes, 1 what went wrong. Each
 * channel first says its port in two bytes, which nobody needs who has asked for one port only.
 */
import { Duplex } from 'node:stream';
import type { KubeClient } from '@podvisor/kube';
import type { WebSocket } from 'ws';

const BYTES = 0;
const ERRORS = 1;
const PORT_BYTES = 2;
const PROTOCOL = 'v4.channel.k8s.io';

/** `path`: of the Pod. Rejects when the API server refuses; what its node says comes as an error of the stream. */
export async function dialPodPort(client: KubeClient, path: string, port: number): Promise<Duplex> {
  const socket = await client.dial(`${path}/portforward`, { protocols: [PROTOCOL], query: { ports: port } });
  return portStream(socket);
}

/** The bytes of the first port of a connection; ends with it. */
export function portStream(socket: WebSocket): Duplex {
  const isNamed = new Set<number>();
  const stream = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) => socket.send(Buffer.concat([Buffer.of(BYTES), chunk]), done),
    // A channel has no end of its own: the other side sees the end of the request in it.
    final: (done) => done(),
    destroy: (error, done) => {
      socket.terminate();
      done(error);
    },
  });
  socket.on('message', (message: Buffer) => {
    const channel = message[0] ?? ERRORS;
    const isFirst = !isNamed.has(channel);
    isNamed.add(channel);
    const bytes = message.subarray(1 + (isFirst ? PORT_BYTES : 0));
    if (bytes.length === 0) return;
    if (channel !== BYTES) stream.destroy(new Error(bytes.toString('utf8').trim()));
    else if (!stream.push(bytes)) socket.pause();
  });
  socket.on('error', (error) => stream.destroy(error));
  socket.on('close', () => stream.push(null));
  socket.resume();
  return stream;
}
