/**
 * OpenAPI v2 and v3 documents, made from the schemas and kept until the set of resources changes. They carry
 * what kubectl needs: types, list keys, group-version-kinds, and which parameters writes take.
 */
import { createHash } from 'node:crypto';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { Registry } from '../registry/registry.ts';
import type { JsonObject } from '../wire/json.ts';
import type { ResponseContext } from '../wire/respond.ts';
import { PlainError } from '../wire/status.ts';
import { definitionsOf } from './resource-lists.ts';
import { openApiV2Protobuf } from './openapi-protobuf.ts';
import { openApiV2, openApiV3 } from './openapi-documents.ts';
import type { ApiRequest } from '../wire/exchange.ts';

const V2_PROTO = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

export class OpenApi {
  readonly #registry: Registry;
  #generation = 0;
  readonly #cache = new Map<string, string>();
  #protobuf: Buffer | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  handle(path: string, request: ApiRequest, to: ResponseContext): void {
    if (this.#generation !== this.#registry.generation) {
      this.#generation = this.#registry.generation;
      this.#cache.clear();
      this.#protobuf = undefined;
    }
    if (path === '/openapi/v2') {
      if ((request.headers.accept ?? '').trim() === V2_PROTO) {
        this.#protobuf ??= openApiV2Protobuf(openApiV2([...this.#registry.all()]));
        to.response.writeHead(200, {
          'content-type': V2_PROTO.replace('@', '.'),
          'cache-control': 'no-cache, private',
          'content-length': this.#protobuf.length,
        });
        to.response.end(this.#protobuf);
        return;
      }
      send(
        to,
        this.#document('v2', () => openApiV2([...this.#registry.all()])),
        'application/json',
      );
      return;
    }
    if (path === '/openapi/v3') {
      send(
        to,
        this.#document('v3', () => this.#index()),
        'text/plain; charset=utf-8',
      );
      return;
    }
    const match = /^\/openapi\/v3\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(path);
    const definitions = match === null ? [] : definitionsOf(this.#registry, match[1] ?? '', match[2] ?? '');
    if (definitions.length === 0) throw new PlainError(404, '');
    send(
      to,
      this.#document(path, () => openApiV3(definitions)),
      'application/json',
    );
  }

  #index(): JsonObject {
    const paths: JsonObject = {};
    const seen = new Map<string, ResourceDefinition>();
    for (const definition of this.#registry.all())
      seen.set(
        definition.group === '' ? `api/${definition.version}` : `apis/${definition.apiVersion}`,
        definition,
      );
    for (const path of [...seen.keys()].toSorted()) {
      const hash = createHash('sha256')
        .update(`${path} ${this.#registry.generation}`)
        .digest('hex')
        .toUpperCase()
        .slice(0, 32);
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
    }
    return { paths };
  }

  #document(key: string, make: () => JsonObject): string {
    let text = this.#cache.get(key);
    if (text === undefined) {
      text = JSON.stringify(make());
      this.#cache.set(key, text);
    }
    return text;
  }
}

function send({ response }: ResponseContext, text: string, type: string): void {
  const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
  response.writeHead(200, {
    'content-type': type,
    etag,
    'cache-control': 'no-cache, private',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
