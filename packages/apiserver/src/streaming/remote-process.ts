/** A process in a container joined to a client's streams, whichever protocol carries them. */
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ContainerProcess } from '@podvisor/home-contract';

/** The client's side. */
export interface RemoteStreams {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** How the process ended, as a Status. */
  sendStatus(status: object): void;
  onResize(handler: (columns: number, rows: number) => void): void;
  close(): void;
}

/** Runs until the process ends; then, when all that it said is on its way, sends its status and closes. */
export async function joinProcess(
  remote: RemoteStreams,
  start: () => Promise<ContainerProcess>,
): Promise<void> {
  let status: object;
  try {
    const process = await start();
    remote.onResize((columns, rows) => process.resize(columns, rows));
    if (remote.stdin !== undefined && process.stdin !== undefined) {
      const input = process.stdin;
      input.on('error', () => undefined);
      remote.stdin.pipe(input);
    }
    const outputs = [pipe(process.stdout, remote.stdout), pipe(process.stderr, remote.stderr)];
    const code = await process.exit;
    await Promise.all(outputs);
    status = exitStatus(code);
  } catch (error) {
    status = {
      metadata: {},
      status: 'Failure',
      message: error instanceof Error ? error.message : String(error),
      reason: 'InternalError',
      code: 500,
    };
  }
  remote.sendStatus(status);
  remote.close();
}

async function pipe(from: Readable | undefined, to: Writable | undefined): Promise<void> {
  if (from === undefined) return;
  if (to === undefined || to.destroyed) {
    from.resume();
    return;
  }
  from.pipe(to, { end: false });
  // A client that left does not keep the process from saying the rest.
  to.once('close', () => from.resume());
  try {
    await finished(from, { writable: false });
  } catch {
    // The stream broke: what came of it is sent.
  }
  // What the connection has not taken yet waits in the stream: a status that went before would close the connection on it.
  await new Promise<void>((resolve) => void to.end(() => resolve()));
}

export function exitStatus(code: number): object {
  if (code === 0) return { metadata: {}, status: 'Success' };
  const message = `command terminated with non-zero exit code: exit status ${code}`;
  return {
    metadata: {},
    status: 'Failure',
    message,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** Terminal sizes arrive as JSON, one after the other; what is no size of a terminal is left out. */
export function parseResize(text: string): { columns: number; rows: number } | undefined {
  let size: unknown;
  try {
    size = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof size !== 'object' || size === null) return undefined;
  const { Width: columns = 0, Height: rows = 0 }: { Width?: unknown; Height?: unknown } = size;
  return isTerminalSize(columns) && isTerminalSize(rows) ? { columns, rows } : undefined;
}

/** Sixteen bits, as the kernel has them. */
function isTerminalSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff;
}
