/**
 * What `/healthz` of a component says: whether it reaches the API server, and the resource version of the KubeVirt
 * object whose configuration it uses. Clients that change the configuration ask every component until it is theirs.
 */
import { type Clock, messageOf } from '@podvisor/base';
import type { KubeClient } from './client/client.ts';

/** An answer serves everybody who asks within this time: nobody can make us ask the API server in a loop. */
const FRESH_MS = 2_000;
const TIMEOUT_MS = 5_000;

export interface HealthAnswer {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ComponentHealthOptions {
  readonly client: Pick<KubeClient, 'request'>;
  readonly clock: Clock;
  /** Empty: none was seen yet. */
  configVersion(): string;
}

export class ComponentHealth {
  readonly #options: ComponentHealthOptions;
  #asked: { readonly atMs: number; readonly connection: Promise<Connection> } | undefined;

  constructor(options: ComponentHealthOptions) {
    this.#options = options;
  }

  /** Never rejects. The version is of this moment, the connection of the last two seconds. */
  async answer(): Promise<HealthAnswer> {
    const now = this.#options.clock.now();
    if (this.#asked === undefined || now - this.#asked.atMs > FRESH_MS)
      this.#asked = { atMs: now, connection: this.#connect() };
    const { isThere, apiserver } = await this.#asked.connection;
    return {
      code: isThere ? 200 : 500,
      body: { apiserver, 'config-resource-version': this.#options.configVersion() },
    };
  }

  async #connect(): Promise<Connection> {
    try {
      const version = await this.#options.client.request(
        { method: 'GET', path: '/version' },
        AbortSignal.timeout(TIMEOUT_MS),
      );
      return { isThere: true, apiserver: { connectivity: 'ok', version } };
    } catch (error) {
      return { isThere: false, apiserver: { connectivity: 'failed', error: messageOf(error) } };
    }
  }
}

interface Connection {
  readonly isThere: boolean;
  readonly apiserver: Readonly<Record<string, unknown>>;
}

/** Whether a request asks for health. KubeVirt's own clients ask for `//healthz`. */
export function isHealthRequest(request: {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}): boolean {
  return request.method === 'GET' && /^\/{1,2}healthz(\?|$)/.test(request.url ?? '');
}
