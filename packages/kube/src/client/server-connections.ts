/**
 * The connections to one server, kept for as long as it has the same address.
 *
 * undici's Agent would find the pool by the address as well. But it closes a pool when it believes that the last
 * connection of it is gone, and counts the ends of these against the pool that follows: once connections had ended while
 * requests were under way, each request had a pool, a connection and a TLS handshake of its own, for as long as there was
 * no pause (undici 7.30).
 */
import type { Pool as HttpPool } from 'undici';
import { Pool } from './http-agent.ts';

export class ServerConnections {
  readonly #options: HttpPool.Options;
  #current: { readonly origin: string; readonly pool: HttpPool } | undefined;

  constructor(options: HttpPool.Options) {
    this.#options = options;
  }

  /** `origin`: scheme, name and port. The connections to another one are closed when their requests have ended. */
  to(origin: string): HttpPool {
    if (this.#current?.origin === origin) return this.#current.pool;
    void this.#current?.pool.close();
    this.#current = { origin, pool: new Pool(origin, this.#options) };
    return this.#current.pool;
  }

  /** Requests that are under way fail. */
  async destroy(): Promise<void> {
    await this.#current?.pool.destroy();
  }
}
