/** How the API server reaches containers. Kubelets implement it; `remote-node-proxy.ts` carries it between processes. */
import type { Duplex, Readable, Writable } from 'node:stream';
import type { NodeReading } from './readings.ts';

/** A Pod as the node knows it. */
export interface PodRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly nodeName: string;
}

/** Query of `pods/log`. */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
}

export interface ExecOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** A running process: its streams (absent where not asked for), terminal size and end. */
export interface ContainerProcess {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable | undefined;
  readonly stderr: Readable | undefined;
  resize(columns: number, rows: number): void;
  /** The exit code; rejects when the process could not be run. */
  readonly exit: Promise<number>;
}

export interface NodeProxy {
  logs(pod: PodRef, container: string, options: LogOptions, signal: AbortSignal): AsyncIterable<Uint8Array>;
  exec(
    pod: PodRef,
    container: string,
    command: readonly string[],
    options: ExecOptions,
    signal: AbortSignal,
  ): Promise<ContainerProcess>;
  attach(
    pod: PodRef,
    container: string,
    options: ExecOptions,
    signal: AbortSignal,
  ): Promise<ContainerProcess>;
  portForward(pod: PodRef, port: number, signal: AbortSignal): Promise<Duplex>;
  /** What the nodes that answer use now. */
  usage(signal?: AbortSignal): Promise<readonly NodeReading[]>;
}
