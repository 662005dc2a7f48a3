/**
 * The page on a person's own machine, with the rights of whoever started the program.
 *
 * Browsers show a cookie to every port of its host. On `127.0.0.1` other users of the machine have ports too, so each
 * program serves the page under a name of its own below `.localhost`, which browsers resolve to the loopback themselves
 * and nobody can guess: a page on another port is on another host, and is sent nothing.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { KubeClient } from '@podvisor/kube';
import type { PageAccess, PageSession } from './access.ts';
import { Sessions } from './sessions.ts';

const LABEL_BYTES = 16;

export class LocalAccess implements PageAccess {
  readonly opensWith = 'key';
  readonly scheme = 'http';
  readonly #name = `${randomBytes(LABEL_BYTES).toString('hex')}.localhost`;
  readonly #sessions = new Sessions();
  readonly #client: KubeClient;
  readonly #namespace: string;
  #port = 0;

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** An address that opens the page once. The key stands behind `#`: browsers keep that part to themselves. */
  address(port: number): string {
    this.#port = port;
    return `http://${this.#name}:${port}/#key=${this.#sessions.issueKey()}`;
  }

  isOwnHost(host: string): boolean {
    return host === `${this.#name}:${this.#port}`;
  }

  open(key: string, headers: IncomingHttpHeaders): Promise<PageSession | undefined> {
    const cookie = this.#sessions.redeem(key);
    const isOpen = cookie !== undefined || this.#sessions.has(headers);
    const session = { namespace: this.#namespace, ...(cookie === undefined ? {} : { cookie }) };
    return Promise.resolve(isOpen ? session : undefined);
  }

  close(headers: IncomingHttpHeaders): string {
    return this.#sessions.end(headers);
  }

  clientOf(headers: IncomingHttpHeaders): KubeClient | undefined {
    return this.#sessions.has(headers) ? this.#client : undefined;
  }
}
