/** Containers of the machine's nodes, from another process. */
import { Duplex, PassThrough, type Readable, Writable } from 'node:stream';
import type { Call } from './call.ts';
import { callThrough, openCall, type OpenCall } from './client.ts';
import { type Frame, Kind, sendFrame, sendJson } from './frames.ts';
import type { ContainerProcess, ExecOptions, LogOptions, NodeProxy, PodRef } from './node-proxy.ts';
import type { NodeReading } from './readings.ts';

export class RemoteNodeProxy implements NodeProxy {
  readonly #path: string;

  /** `path`: the node agent's socket. */
  constructor(path: string) {
    this.#path = path;
  }

  async *logs(
    pod: PodRef,
    container: string,
    options: LogOptions,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const call = await openCall(this.#path, { method: 'logs', pod, container, options }, signal);
    for await (const frame of call.frames()) if (frame.kind === Kind.output) yield frame.bytes;
  }

  exec(
    pod: PodRef,
    container: string,
    command: readonly string[],
    options: ExecOptions,
    signal: AbortSignal,
  ): Promise<ContainerProcess> {
    return this.#process({ method: 'exec', pod, container, command, options }, options, signal);
  }

  attach(
    pod: PodRef,
    container: string,
    options: ExecOptions,
    signal: AbortSignal,
  ): Promise<ContainerProcess> {
    return this.#process({ method: 'attach', pod, container, options }, options, signal);
  }

  async portForward(pod: PodRef, port: number, signal: AbortSignal): Promise<Duplex> {
    const call = await openCall(this.#path, { method: 'portForward', pod, port }, signal);
    const frames = call.frames();
    await started(frames);
    const output = new PassThrough();
    const joined = Duplex.from({ readable: output, writable: inputOf(call) });
    void deliver(frames, { output, errors: undefined }).then(
      () => undefined,
      (error: unknown) => joined.destroy(error instanceof Error ? error : undefined),
    );
    joined.once('close', () => call.socket.destroy());
    return joined;
  }

  async usage(signal?: AbortSignal): Promise<readonly NodeReading[]> {
    // What the node agent counted is ours: it is taken as it is.
    return (await callThrough(this.#path, { method: 'usage' }, signal)) as readonly NodeReading[];
  }

  async #process(call: Call, options: ExecOptions, signal: AbortSignal): Promise<ContainerProcess> {
    const open = await openCall(this.#path, call, signal);
    const frames = open.frames();
    await started(frames);
    const output = options.stdout ? new PassThrough() : undefined;
    const errors = options.stderr && !options.tty ? new PassThrough() : undefined;
    const exit = deliver(frames, { output, errors }).then((code) => (typeof code === 'number' ? code : 0));
    // Whoever waits for the end hears why; nobody may be waiting yet.
    exit.catch(() => undefined);
    return {
      stdin: options.stdin ? inputOf(open) : undefined,
      stdout: output,
      stderr: errors,
      resize: (columns, rows) => void sendJson(open.socket, Kind.resize, { columns, rows }),
      exit,
    };
  }
}

/** Waits until the far end runs; throws what keeps it from doing so. */
async function started(frames: AsyncGenerator<Frame, unknown, undefined>): Promise<void> {
  const { value } = await frames.next();
  if (value === undefined || value === null || (value as Frame).kind !== Kind.started)
    throw new Error('the node agent answers out of turn');
}

interface Outputs {
  readonly output: PassThrough | undefined;
  readonly errors: PassThrough | undefined;
}

/** Brings what comes to its streams, and ends them; returns the result. */
async function deliver(
  frames: AsyncGenerator<Frame, unknown, undefined>,
  { output, errors }: Outputs,
): Promise<unknown> {
  try {
    for (;;) {
      const { done, value } = await frames.next();
      if (done === true) return value;
      if (value.kind === Kind.output) await pass(output, value.bytes);
      else if (value.kind === Kind.errors) await pass(errors, value.bytes);
      else if (value.kind === Kind.outputEnd) output?.end();
    }
  } finally {
    output?.end();
    errors?.end();
  }
}

async function pass(to: PassThrough | undefined, bytes: Buffer): Promise<void> {
  if (to === undefined || to.destroyed || to.write(bytes)) return;
  await new Promise<void>((resolve) =>
    (to as Readable & Writable).once('drain', resolve).once('close', resolve),
  );
}

function inputOf({ socket }: OpenCall): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, taken) => {
      sendFrame(socket, Kind.input, chunk).then(() => taken(), taken);
    },
    final: (taken) => {
      sendFrame(socket, Kind.inputEnd).then(() => taken(), taken);
    },
  });
}
