/**
 * The guest's serial port, shared. QEMU serves one client only, so the hub is that client: it reads whether anybody
 * looks or not (a port nobody reads would stall the guest), keeps the last 64 KiB, and hands every byte to all viewers.
 * For one that is full the port waits, as a serial line waits for its terminal, so that a burst reaches everybody
 * whole; one that has not taken its bytes after some seconds is dropped and can come back: nobody holds the guest up
 * for longer. The last output comes first for those who ask for it: clients that wait for a prompt must not take an
 * old one for it.
 */
import { createConnection, type Socket } from 'node:net';
import { Ring } from './ring.ts';

/** Someone who looks at the console. */
export interface ConsoleViewer {
  write(data: Buffer): void;
  /** Bytes queued and not yet taken by the peer. */
  queuedBytes(): number;
  /** Calls `fn` once, when the peer has taken them all. */
  onDrain(fn: () => void): void;
  /** The hub is done with this viewer. */
  end(reason: string): void;
}

const SCROLLBACK_BYTES = 64 * 1024;
/** With so much queued a viewer is full. A piece that was read is handed on whole: a queue has at most that more. */
export const VIEWER_QUEUE_BYTES = 256 * 1024;
/** A network that stumbles is back by then; a guest whose console stands still for so long has lost nothing. */
const PATIENCE_MS = 10_000;

export class ConsoleHub {
  readonly #ring = new Ring(SCROLLBACK_BYTES);
  readonly #viewers = new Set<ConsoleViewer>();
  /** Those that the port waits for. */
  readonly #full = new Set<ConsoleViewer>();
  readonly #patienceMs: number;
  #patience: NodeJS.Timeout | undefined;
  #socket: Socket | undefined;
  #path: string | undefined;

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Connects to the serial port's socket. Connected already to the same one: nothing happens. */
  connect(path: string): Promise<void> {
    if (this.#path === path && this.#socket !== undefined) return Promise.resolve();
    this.#socket?.destroy();
    this.#path = path;
    const socket = createConnection({ path });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#path = undefined;
    });
    return new Promise((resolve, reject) => {
      socket.once('connect', () => {
        // From here on an error is followed by `close`, which says all we need.
        socket.off('error', reject);
        socket.on('error', () => {});
        resolve();
      });
      socket.once('error', reject);
    });
  }

  get connected(): boolean {
    return this.#socket !== undefined;
  }

  /** Adds a viewer, with `scrollback` the last output first. The returned function removes it. */
  attach(viewer: ConsoleViewer, scrollback = false): () => void {
    const before = this.#ring.contents();
    if (scrollback && before.length > 0) viewer.write(before);
    this.#viewers.add(viewer);
    return () => {
      this.#viewers.delete(viewer);
      this.#taken(viewer);
    };
  }

  /** Types into the guest's console. False: wait for `onWritable` before more. Lost when no port is connected. */
  write(data: Buffer): boolean {
    return this.#socket?.write(data) ?? true;
  }

  /** Calls `fn` once, when the port takes more input. */
  onWritable(fn: () => void): void {
    if (this.#socket === undefined) fn();
    else {
      this.#socket.once('drain', fn);
      this.#socket.once('close', fn);
    }
  }

  /** The guest is gone: ends all viewers. The scrollback stays. */
  end(reason: string): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#path = undefined;
    for (const viewer of this.#viewers) {
      viewer.end(reason);
      this.#taken(viewer);
    }
    this.#viewers.clear();
  }

  #receive(chunk: Buffer): void {
    this.#ring.push(chunk);
    for (const viewer of this.#viewers) {
      viewer.write(chunk);
      if (viewer.queuedBytes() > VIEWER_QUEUE_BYTES) this.#waitFor(viewer);
    }
  }

  #waitFor(viewer: ConsoleViewer): void {
    // Also when it is waited for already: the port may have been connected anew since.
    this.#socket?.pause();
    if (this.#full.has(viewer)) return;
    this.#full.add(viewer);
    viewer.onDrain(() => this.#taken(viewer));
    this.#patience ??= setTimeout(() => this.#dropFull(), this.#patienceMs);
  }

  /** The port goes on when nobody is full. */
  #taken(viewer: ConsoleViewer): void {
    if (!this.#full.delete(viewer) || this.#full.size > 0) return;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#socket?.resume();
  }

  #dropFull(): void {
    for (const viewer of this.#full) {
      this.#viewers.delete(viewer);
      viewer.end('this console viewer did not keep up with the output of the guest');
      this.#taken(viewer);
    }
  }
}
