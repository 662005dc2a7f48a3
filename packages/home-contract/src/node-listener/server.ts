/**
 * The node agent's listener: a unix socket that only the control plane's user (and root) may connect to, checked by the peer's credentials. A call ends with its connection.
 */
import { chmodSync, chownSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { messageOf, StatusError } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { peerCredentials } from '@podvisor/sys';
import { type Call, parseCall, parseSize } from './call.ts';
import { type Frame, Kind, readFrames, sendFrame, sendJson } from './frames.ts';
import type { ContainerProcess, NodeProxy } from './node-proxy.ts';
import type { VolumeData } from './volume-data.ts';

export interface NodeListenerOptions {
  readonly path: string;
  /** User, and group, whose calls are answered, besides root. */
  readonly user: number;
  readonly nodes: NodeProxy;
  readonly volumes: VolumeData;
  readonly log: Log;
}

export interface NodeListener {
  close(): Promise<void>;
}

export async function startNodeListener(options: NodeListenerOptions): Promise<NodeListener> {
  const { path, user, log } = options;
  const open = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    const peer = peerCredentials(socket);
    if (peer.uid !== user && peer.uid !== 0) {
      log.warn({ peer }, 'refused a process that may not connect to the node agent');
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    void answer(socket, options);
  });
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  if (process.getuid?.() === 0) chownSync(path, 0, user);
  chmodSync(path, 0o660);
  return {
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(socket: Socket, options: NodeListenerOptions): Promise<void> {
  const ending = new AbortController();
  socket.once('close', () => ending.abort());
  const frames = readFrames(socket);
  try {
    const first = await frames.next();
    if (first.done === true || first.value.kind !== Kind.call) throw new Error('a call comes first');
    const call = parseCall(first.value.bytes.toString('utf8'));
    const result = await perform(call, socket, frames, options, ending.signal);
    await sendJson(socket, Kind.result, result ?? null);
  } catch (error) {
    const failure = error instanceof StatusError ? error.toBody() : { message: messageOf(error) };
    await sendJson(socket, Kind.failure, failure);
  }
  socket.end(() => socket.destroy());
}

async function perform(
  call: Call,
  socket: Socket,
  frames: AsyncGenerator<Frame, void, undefined>,
  { nodes, volumes }: NodeListenerOptions,
  signal: AbortSignal,
): Promise<unknown> {
  switch (call.method) {
    case 'usage':
      return nodes.usage();
    case 'logs':
      for await (const chunk of nodes.logs(
        call.pod,
        call.container,
        call.options,
        watched(socket, frames, signal),
      ))
        await sendFrame(socket, Kind.output, chunk);
      return null;
    case 'exec':
      return run(
        await nodes.exec(call.pod, call.container, call.command, call.options, signal),
        socket,
        frames,
      );
    case 'attach':
      return run(await nodes.attach(call.pod, call.container, call.options, signal), socket, frames);
    case 'portForward':
      return join(await nodes.portForward(call.pod, call.port, signal), socket, frames);
    case 'makeVolume': {
      const onProgress = (progress: object): void => void sendJson(socket, Kind.progress, progress);
      const { name, mode, bytes, content } = call;
      return volumes.make(name, { mode, bytes, content, onProgress }, watched(socket, frames, signal));
    }
    case 'growVolume':
      return volumes.grow(call.name, call.mode, call.bytes, signal);
    case 'removeVolume':
      return volumes.remove(call.name, signal);
    case 'takeSnapshot':
      return volumes.takeSnapshot(call.name, call.volumeName, call.writers, watched(socket, frames, signal));
    case 'removeSnapshot':
      return volumes.removeSnapshot(call.name, signal);
    case 'hasSnapshot':
      return volumes.hasSnapshot(call.name, signal);
  }
}

/** Nothing more is to come; but only who reads hears that the caller went away. */
function watched(
  socket: Socket,
  frames: AsyncGenerator<Frame, void, undefined>,
  signal: AbortSignal,
): AbortSignal {
  void frames.next().then(
    () => socket.destroy(),
    () => socket.destroy(),
  );
  return signal;
}

/** Streams of a process; its exit code. */
async function run(
  process: ContainerProcess,
  socket: Socket,
  frames: AsyncGenerator<Frame, void, undefined>,
): Promise<number> {
  await sendFrame(socket, Kind.started);
  process.stdin?.on('error', () => undefined);
  void feed(frames, process.stdin, (columns, rows) => process.resize(columns, rows)).finally(() =>
    process.stdin?.end(),
  );
  const [code] = await Promise.all([
    process.exit,
    carry(process.stdout, socket, Kind.output),
    carry(process.stderr, socket, Kind.errors),
  ]);
  return code;
}

/** Both directions of a connection, each until its own end. */
async function join(
  connection: Duplex,
  socket: Socket,
  frames: AsyncGenerator<Frame, void, undefined>,
): Promise<null> {
  await sendFrame(socket, Kind.started);
  connection.on('error', () => undefined);
  socket.once('close', () => connection.destroy());
  // A caller that has died says nothing of the end of its input: its stream ends, and the connection with it.
  const fed = feed(frames, connection, () => undefined).finally(() => connection.destroy());
  // The far end may have said all and still listen: reading to the end must not close it.
  for await (const chunk of connection.iterator({ destroyOnReturn: false }))
    await sendFrame(socket, Kind.output, Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  await sendFrame(socket, Kind.outputEnd);
  await fed;
  return null;
}

/** What the caller sends, until it sends no more. */
async function feed(
  frames: AsyncGenerator<Frame, void, undefined>,
  to: Writable | undefined,
  resize: (columns: number, rows: number) => void,
): Promise<void> {
  for (;;) {
    const next = await frames.next().catch(() => undefined);
    if (next === undefined || next.done === true) return;
    const { kind, bytes } = next.value;
    if (kind === Kind.inputEnd) to?.end();
    else if (kind === Kind.resize) {
      const size = parseSize(bytes.toString('utf8'));
      if (size !== undefined) resize(size.columns, size.rows);
    } else if (kind === Kind.input && to !== undefined && !to.destroyed && !to.write(bytes))
      await new Promise<void>((resolve) => to.once('drain', resolve).once('close', resolve));
  }
}

async function carry(
  from: Readable | undefined,
  socket: Socket,
  kind: typeof Kind.output | typeof Kind.errors,
): Promise<void> {
  if (from === undefined) return;
  try {
    for await (const chunk of from)
      await sendFrame(socket, kind, Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  } catch {
    // The stream broke: what came of it has been sent.
  }
}
