/** One VM POST and one watch event at a time, again and again, while something else goes on in the home. */
import type { Transport } from '../server-transport.ts';
import type { VmLoad } from '../vm-load.ts';

const EVERY_MS = 500;

export interface ProbeTimes {
  /** Milliseconds. */
  readonly posts: readonly number[];
  /** From the write to its event, both over connections of their own. */
  readonly events: readonly number[];
}

/** Its ConfigMap is in `namespace`, and stays. */
export class Probes {
  readonly #load: VmLoad;
  readonly #transport: Transport;
  readonly #path: string;
  #made = 0;

  constructor(load: VmLoad, transport: Transport, namespace: string) {
    this.#load = load;
    this.#transport = transport;
    this.#path = `/api/v1/namespaces/${namespace}/configmaps`;
  }

  /** Runs `body`; what fails meanwhile, as while a server is away, is no figure. */
  async during(body: () => Promise<void>): Promise<ProbeTimes> {
    const posts: number[] = [];
    const events: number[] = [];
    let isOver = false;
    const probing = (async () => {
      while (!isOver) {
        const next = new Promise((resolve) => setTimeout(resolve, EVERY_MS));
        await this.#load.createVms(1, 1).then(
          (times) => posts.push(...times),
          () => undefined,
        );
        await this.#event().then(
          (ms) => events.push(ms),
          () => undefined,
        );
        await next;
      }
    })();
    try {
      await body();
    } finally {
      isOver = true;
      await probing;
    }
    return { posts, events };
  }

  /** Milliseconds from a write to its event at a watcher that is there already. */
  async #event(): Promise<number> {
    this.#made += 1;
    const name = `probe-${process.pid}-${this.#made}`;
    const seen = Promise.withResolvers<void>();
    const select = `fieldSelector=metadata.name%3D${name}`;
    const end = await this.#transport.open(`${this.#path}?watch=1&${select}`, () => seen.resolve());
    try {
      const began = performance.now();
      await this.#transport.call('POST', this.#path, JSON.stringify({ metadata: { name } }));
      await seen.promise;
      return performance.now() - began;
    } finally {
      end();
    }
  }
}
