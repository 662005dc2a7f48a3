/**
 * The metrics channel: QEMU listens on a socket of the Pod, the launcher connects, the guest asks. One answer a
 * second at most, and at most a few questions waiting: a guest that asks faster waits, or loses its question.
 */
import { createConnection, type Socket } from 'node:net';
import type { Clock } from '@podvisor/base';
import type { Log } from '../log.ts';
import { RequestReader } from './requests.ts';

const MIN_INTERVAL_MS = 1_000;
const MAX_WAITING = 4;
const INVALID = 'INVALID REQUEST\n\n';
const NOTHING_KNOWN =
  '<metrics><!-- host metrics not available --><!-- VM metrics not available --></metrics>\n\n';

export interface MetricsChannelOptions {
  readonly path: string;
  /** The report as XML. */
  readonly report: () => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
}

export class MetricsChannel {
  readonly #options: MetricsChannelOptions;
  #socket: Socket | undefined;
  #waiting = 0;
  #answering = false;
  #nextAtMs = 0;

  constructor(options: MetricsChannelOptions) {
    this.#options = options;
  }

  /** Connected already: nothing happens. A connection that ends is made again by the next call. */
  connect(): void {
    if (this.#socket !== undefined) return;
    const reader = new RequestReader();
    const socket = createConnection({ path: this.#options.path });
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      let invalid = '';
      for (const request of reader.read(bytes)) {
        if (request === 'invalid') invalid += INVALID;
        else if (this.#waiting < MAX_WAITING) this.#waiting += 1;
      }
      if (invalid !== '') say(socket, invalid);
      void this.#answer(socket);
    });
    socket.on('error', (error) => this.#options.log.warn({ error }, 'the metrics channel has a problem'));
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
      this.#waiting = 0;
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #answer(socket: Socket): Promise<void> {
    if (this.#answering || this.#waiting === 0) return;
    const { clock, report, log } = this.#options;
    this.#answering = true;
    const pause = this.#nextAtMs - clock.elapsed();
    if (pause > 0) await new Promise<void>((resolve) => void clock.after(pause, resolve));
    const xml = await report().catch((error: unknown) => {
      log.warn({ error }, 'no metrics for the guest');
      return undefined;
    });
    this.#nextAtMs = clock.elapsed() + MIN_INTERVAL_MS;
    this.#answering = false;
    if (socket.destroyed) return;
    this.#waiting -= 1;
    say(socket, xml === undefined ? NOTHING_KNOWN : `${xml.trimEnd()}\n\n`);
    void this.#answer(socket);
  }
}

/** Who does not read its answers is not listened to meanwhile. */
function say(socket: Socket, text: string): void {
  if (socket.write(text) || socket.isPaused()) return;
  socket.pause();
  socket.once('drain', () => socket.resume());
}
