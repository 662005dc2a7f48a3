/** Upgraded requests to Pods: exec, attach and port-forward, over websocket or SPDY. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { keyOf } from '@podvisor/store';
import type { Core } from '../core.ts';
import { isTrue, type RequestInfo } from '../wire/request-info.ts';
import { badRequest, notFound } from '../wire/status.ts';
import type { ContainerProcess, ExecOptions, NodeProxy, PodRef } from '@podvisor/home-contract';
import { containerOf, noNodes, podRef } from './pod-log.ts';
import { servePortForward, websocketDuplex } from './port-forward.ts';
import { portsOf, serveChannels } from './port-channels.ts';
import { joinProcess } from './remote-process.ts';
import { spdyStreams } from './spdy/streams.ts';
import { CHANNEL_PROTOCOLS, websocketStreams } from './websocket-streams.ts';

const PORT_FORWARD = 'portforward.k8s.io';
const TUNNEL = `SPDY/3.1+${PORT_FORWARD}`;

/** Of one message; clients send tens of kilobytes. */
const MAX_MESSAGE_BYTES = 4 << 20;

export class PodUpgrades {
  readonly #core: Core;
  readonly #nodes: NodeProxy | undefined;
  readonly #signal: AbortSignal;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) =>
      [TUNNEL, ...CHANNEL_PROTOCOLS].find((protocol) => offered.has(protocol)) ?? false,
  });

  constructor(core: Core, nodes: NodeProxy | undefined, signal: AbortSignal) {
    this.#core = core;
    this.#nodes = nodes;
    this.#signal = signal;
  }

  serves({ group, resource, subresource }: RequestInfo): boolean {
    return group === '' && resource === 'pods' && ['exec', 'attach', 'portforward'].includes(subresource);
  }

  /** Takes the connection over. Throws a StatusError before anything was sent. */
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, info: RequestInfo): void {
    const nodes = this.#nodes;
    if (nodes === undefined) throw noNodes();
    const pod = this.#pod(info);
    const spdy = (request.headers.upgrade ?? '').toLowerCase() === 'spdy/3.1';
    if (info.subresource === 'portforward') {
      if (spdy) {
        acceptSpdy(socket, PORT_FORWARD);
        servePortForward(socket, head, nodes, pod.ref, this.#signal);
      } else {
        // Only those who do not tunnel SPDY name their ports beforehand.
        const ports = isTunnel(request) ? [] : portsOf(info.query);
        this.#server.handleUpgrade(request, socket, head, (websocket) =>
          ports.length > 0
            ? serveChannels(websocket, ports, nodes, pod.ref, this.#signal)
            : servePortForward(websocketDuplex(websocket), Buffer.alloc(0), nodes, pod.ref, this.#signal),
        );
      }
      return;
    }
    const { query } = info;
    const options: ExecOptions = {
      stdin: isTrue(query.get('stdin')),
      stdout: isTrue(query.get('stdout')),
      stderr: isTrue(query.get('stderr')),
      tty: isTrue(query.get('tty')),
    };
    if (!options.stdin && !options.stdout && !options.stderr)
      throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
    const container = containerOf(pod.object, query.get('container') ?? '');
    const start = (): Promise<ContainerProcess> =>
      info.subresource === 'exec'
        ? nodes.exec(pod.ref, container, query.getAll('command'), options, this.#signal)
        : nodes.attach(pod.ref, container, options, this.#signal);
    if (spdy) {
      const offered = (request.headersDistinct['x-stream-protocol-version'] ?? []).flatMap((v) =>
        v.split(',').map((p) => p.trim()),
      );
      acceptSpdy(
        socket,
        CHANNEL_PROTOCOLS.find(
          (protocol) => offered.includes(protocol) && protocol !== 'v5.channel.k8s.io',
        ) ?? 'v4.channel.k8s.io',
      );
      spdyStreams(socket, head, options)
        .then((streams) => joinProcess(streams, start))
        .catch(() => socket.destroy());
    } else {
      this.#server.handleUpgrade(
        request,
        socket,
        head,
        (websocket) => void joinProcess(websocketStreams(websocket, options), start),
      );
    }
  }

  #pod({ namespace, name }: RequestInfo): { object: Parameters<typeof podRef>[0]; ref: PodRef } {
    const object = this.#core.store.get(keyOf('', 'pods', namespace, name))?.object;
    if (object === undefined) throw notFound({ group: '', plural: 'pods' }, name);
    const ref = podRef(object);
    if (ref.nodeName === '') throw badRequest(`pod ${name} does not have a host assigned`);
    return { object, ref };
  }
}

function isTunnel({ headers }: IncomingMessage): boolean {
  return (headers['sec-websocket-protocol'] ?? '').split(',').some((offered) => offered.trim() === TUNNEL);
}

function acceptSpdy(socket: Duplex, protocol: string): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
}
