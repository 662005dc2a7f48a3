/** Load on an API server: ConfigMaps of 3 KB in a namespace of their own. */
import type { Transport } from './server-transport.ts';

const BODY = 'x'.repeat(2800);
/** How many events each watcher sees in the measurement of throughput. */
const BURST = 200;
const ROUNDS = 15;

export class ApiLoad {
  readonly #transport: Transport;
  readonly #namespace: string;
  #made = 0;

  constructor(transport: Transport, namespace: string) {
    this.#transport = transport;
    this.#namespace = namespace;
  }

  async begin(): Promise<void> {
    await this.#call('POST', '/api/v1/namespaces', { metadata: { name: this.#namespace } });
  }

  async end(): Promise<void> {
    await this.#call('DELETE', `/api/v1/namespaces/${this.#namespace}`);
    this.#transport.close();
  }

  get #path(): string {
    return `/api/v1/namespaces/${this.#namespace}/configmaps`;
  }

  async clear(): Promise<void> {
    await this.#call('DELETE', this.#path);
  }

  async createsPerSecond(clients: number, seconds: number): Promise<number> {
    const end = performance.now() + seconds * 1000;
    let done = 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (performance.now() < end) {
          await this.#create();
          done += 1;
        }
      }),
    );
    return (done * 1000) / (performance.now() - began);
  }

  async fill(count: number): Promise<void> {
    let left = count;
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        while (left > 0) {
          left -= 1;
          await this.#create();
        }
      }),
    );
  }

  async listTime(): Promise<{ readonly ms: number; readonly bytes: number }> {
    const times: number[] = [];
    let bytes = 0;
    for (let i = 0; i < 5; i += 1) {
      const began = performance.now();
      bytes = await this.#call('GET', this.#path);
      times.push(performance.now() - began);
    }
    return { ms: median(times), bytes };
  }

  /** The same list in pages of 500, one after the other. */
  async pagedListTime(): Promise<number> {
    const times: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const began = performance.now();
      let next: string | undefined = '';
      while (next !== undefined) {
        const token = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
        const { start } = await this.#transport.call('GET', `${this.#path}?limit=500${token}`);
        next = /"continue":"([^"]+)"/.exec(start)?.[1];
      }
      times.push(performance.now() - began);
    }
    return median(times);
  }

  /** Watchers that all see every event: how late the last one is, and how many events pass in a burst. */
  async watchers(count: number): Promise<{ lastMs: number; eventsPerSecond: number }> {
    let seen = 0;
    let wake: (() => void) | undefined;
    let wanted = 0;
    const note = (events: number): void => {
      seen += events;
      if (seen >= wanted) wake?.();
    };
    const ends: (() => void)[] = [];
    // Opened a few at a time: what is measured are many open watches, not their opening.
    for (let i = 0; i < count; i += 50)
      ends.push(
        ...(await Promise.all(Array.from({ length: Math.min(50, count - i) }, () => this.#watch(note)))),
      );
    const until = (events: number): Promise<void> => {
      wanted = events;
      return new Promise((resolve) => {
        wake = resolve;
        note(0);
      });
    };
    const times: number[] = [];
    for (let i = 0; i < ROUNDS; i += 1) {
      seen = 0;
      const all = until(count);
      const began = performance.now();
      await this.#create();
      await all;
      times.push(performance.now() - began);
    }
    seen = 0;
    const all = until(count * BURST);
    const began = performance.now();
    await this.fill(BURST);
    await all;
    const seconds = (performance.now() - began) / 1000;
    for (const end of ends) end();
    return { lastMs: median(times), eventsPerSecond: (count * BURST) / seconds };
  }

  #watch(note: (events: number) => void): Promise<() => void> {
    const path = `${this.#path}?watch=1&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`;
    return this.#transport.open(path, (chunk) => {
      let lines = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      note(lines);
    });
  }

  async #create(): Promise<void> {
    this.#made += 1;
    const name = `o-${this.#made.toString(36)}`;
    await this.#call('POST', this.#path, { metadata: { name }, data: { text: BODY } });
  }

  /** Size of the answer in bytes; throws when it is no success. */
  async #call(method: string, path: string, body?: object): Promise<number> {
    const { code, bytes } = await this.#transport.call(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
    );
    if (code >= 300) throw new Error(`${method} ${path} answered ${code}`);
    return bytes;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
