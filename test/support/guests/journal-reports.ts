/** Hears the reports of a journal VM: which entries it said are on its disk, in the order in which they came. */
import { createSocket, type Socket } from 'node:dgram';

export interface Report {
  readonly boot: string;
  readonly entry: number;
  readonly atMs: number;
  /** Address that it came from. */
  readonly from: string;
}

export class JournalReports {
  readonly #socket: Socket;
  readonly #reports: Report[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (message, { address }) => {
      const match = /journal ([0-9a-f]{8}) (\d+)/.exec(message.toString('latin1'));
      if (match?.[1] !== undefined)
        this.#reports.push({ boot: match[1], entry: Number(match[2]), atMs: Date.now(), from: address });
    });
  }

  static listen(address: string): Promise<JournalReports> {
    const socket = createSocket('udp4');
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(0, address, () => resolve(new JournalReports(socket)));
    });
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get last(): Report | undefined {
    return this.#reports.at(-1);
  }

  /** All since a time. */
  since(atMs: number): readonly Report[] {
    return this.#reports.filter((report) => report.atMs >= atMs);
  }

  /** Entries that were told twice or out of order: only two guests at once can do that. */
  contradictions(): readonly Report[] {
    const highest = new Map<string, number>();
    return this.#reports.filter(({ boot, entry }) => {
      const before = highest.get(boot) ?? -1;
      highest.set(boot, Math.max(before, entry));
      return entry <= before;
    });
  }

  /** Longest silence in a span, in milliseconds. */
  longestSilence(fromMs: number, toMs: number): number {
    const times = [fromMs, ...this.since(fromMs).map(({ atMs }) => atMs), toMs].filter((t) => t <= toMs);
    return Math.max(...times.slice(1).map((time, i) => time - (times[i] ?? time)), 0);
  }

  close(): void {
    this.#socket.close();
  }
}
