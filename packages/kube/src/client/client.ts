/**
 * The Kubernetes REST client: thin, typed by `Resource<T>`, no discovery, no code generation. Every answer
 * that is not success is a `StatusError` with the server's own words; connection failures keep their own
 * error so that a caller can tell "the server said no" from "nobody answered".
 */
import type { KubernetesObject } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { Dispatcher } from 'undici';
import type { WebSocket } from 'ws';
import type {
  DeleteOptions,
  ListOptions,
  ObjectList,
  Patch,
  WatchOptions,
  WriteOptions,
} from './client-options.ts';
import { type Credentials, defaultCredentials, fixedCredentials } from './credentials.ts';
import { goJson } from '../go-json.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import type { ObservedRequest } from '../metrics/client-metrics.ts';
import { apiVersionOf, type ObjectKey, pathOf, type Resource } from './resource.ts';
import { statusErrorOf } from './status-body.ts';
import { type Dial, type HttpRequest, Transport } from './transport.ts';
import type { StreamedAnswer } from './watch-connections.ts';
import { linesOf, parseWatchLine, type WatchEvent } from './watch-stream.ts';
import type { DialOptions } from './websocket.ts';

const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export interface KubeClientOptions {
  readonly credentials: Credentials;
  readonly userAgent?: string;
  /** How connections for requests and watches are opened; absent: from this process's network. */
  readonly dial?: Dial;
  /** Hears of every request, for metrics. */
  readonly observe?: (request: ObservedRequest) => void;
  /** Hears of every object that was created, as the server answered, and when it was sent; for traces. */
  readonly onCreated?: ((object: KubernetesObject, sentMs: number) => void) | undefined;
}

export class KubeClient {
  readonly #transport: Transport;
  readonly #userAgent: string;
  readonly #onCreated: KubeClientOptions['onCreated'];

  constructor({ credentials, userAgent = 'podvisor', dial, observe, onCreated }: KubeClientOptions) {
    this.#transport = new Transport(credentials, dial, observe);
    this.#userAgent = userAgent;
    this.#onCreated = onCreated;
  }

  /** A client for the kubeconfig at `path`, else `$KUBECONFIG`, else the Pod's service account. */
  static fromKubeconfig(
    path?: string,
    userAgent?: string,
    observe?: KubeClientOptions['observe'],
    onCreated?: KubeClientOptions['onCreated'],
  ): KubeClient {
    return new KubeClient({ credentials: defaultCredentials(path), userAgent, observe, onCreated });
  }

  /** A client for fixed access data. */
  static fromAccess(access: ClusterAccess, userAgent?: string): KubeClient {
    return new KubeClient({ credentials: fixedCredentials(access), userAgent });
  }

  get<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey, signal?: AbortSignal): Promise<T> {
    return this.request<T>({ method: 'GET', path: pathOf(resource, key) }, signal);
  }

  /** Like `get`, but undefined when the object does not exist. */
  async find<T extends KubernetesObject>(
    resource: Resource<T>,
    key: ObjectKey,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    try {
      return await this.get(resource, key, signal);
    } catch (error) {
      if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
      throw error;
    }
  }

  /** One page (all, without `limit`). Items carry apiVersion and kind also where the server leaves them out. */
  async list<T extends KubernetesObject>(
    resource: Resource<T>,
    { namespace, ...query }: ListOptions = {},
    signal?: AbortSignal,
  ): Promise<ObjectList<T>> {
    const list = await this.request<{ metadata?: ObjectList<T>['metadata']; items?: T[] | null }>(
      { method: 'GET', path: pathOf(resource, { namespace }), query },
      signal,
    );
    const typed = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    return {
      metadata: list.metadata ?? {},
      items: (list.items ?? []).map((item) => (item.kind === undefined ? { ...typed, ...item } : item)),
    };
  }

  async create<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
    signal?: AbortSignal,
  ): Promise<T> {
    const { namespace, name } = object.metadata ?? {};
    const where = options.subresource === undefined ? { namespace } : { namespace, name };
    const sentMs = this.#onCreated === undefined ? 0 : Date.now();
    const created = await this.#write('POST', resource, where, object, options, signal);
    this.#onCreated?.({ kind: resource.kind, ...created }, sentMs);
    return created;
  }

  update<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
    signal?: AbortSignal,
  ): Promise<T> {
    const { namespace, name } = object.metadata ?? {};
    return this.#write('PUT', resource, { namespace, name }, object, options, signal);
  }

  updateStatus<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
    signal?: AbortSignal,
  ): Promise<T> {
    return this.update(resource, object, { ...options, subresource: 'status' }, signal);
  }

  patch<T extends KubernetesObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Patch,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.request<T>(
      {
        method: 'PATCH',
        path: pathOf(resource, { ...key, subresource: patch.subresource }),
        query: { ...writeQuery(patch), force: patch.type === 'apply' ? patch.force : undefined },
        headers: { 'content-type': PATCH_TYPES[patch.type] },
        body: goJson(patch.body),
      },
      signal,
    );
  }

  /** Resolves when the server accepted the deletion; finalizers may keep the object for a while. */
  async delete(
    resource: Resource,
    key: ObjectKey,
    options: DeleteOptions = {},
    signal?: AbortSignal,
  ): Promise<void> {
    const { dryRun, ...rest } = options;
    await this.request(
      {
        method: 'DELETE',
        path: pathOf(resource, key),
        body: JSON.stringify({
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          ...rest,
          ...(dryRun === true ? { dryRun: ['All'] } : {}),
        }),
      },
      signal,
    );
  }

  /** Events from `resourceVersion` on. Ends when the server ends it; throws what goes wrong. */
  async *watch<T extends KubernetesObject>(
    resource: Resource<T>,
    { namespace, ...query }: WatchOptions = {},
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    const response = await this.stream(
      {
        ...{ method: 'GET', path: pathOf(resource, { namespace }), query: { ...query, watch: true } },
        streaming: 'watch',
      },
      signal,
    );
    try {
      for await (const line of linesOf(response.body)) yield parseWatchLine<T>(line);
    } finally {
      response.body.destroy();
    }
  }

  /** Any request with a JSON answer. An empty answer, as KubeVirt's verbs give, is undefined. */
  async request<R = unknown>(request: HttpRequest, signal?: AbortSignal): Promise<R> {
    const response = await this.raw(request, signal);
    return (response.body.length === 0 ? undefined : JSON.parse(response.body.toString('utf8'))) as R;
  }

  /** Any request; the whole answer as bytes. Throws StatusError for codes from 400 on. */
  async raw(
    request: HttpRequest,
    signal?: AbortSignal,
  ): Promise<{
    readonly status: number;
    readonly headers: Dispatcher.ResponseData['headers'];
    readonly body: Buffer;
  }> {
    const response = await this.#transport.send(this.#withHeaders(request), signal);
    const body = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode >= 400) throw statusErrorOf(body.toString('utf8'), response.statusCode);
    return { status: response.statusCode, headers: response.headers, body };
  }

  /** Any request whose answer is a stream (watches, logs): the caller reads or destroys `body`. */
  async stream(request: HttpRequest, signal?: AbortSignal): Promise<StreamedAnswer> {
    const streamed = this.#withHeaders({ streaming: true, ...request });
    const response = await (request.streaming === 'watch'
      ? this.#transport.watch(streamed, signal)
      : this.#transport.send(streamed, signal));
    if (response.statusCode >= 400) throw statusErrorOf(await response.body.text(), response.statusCode);
    return response;
  }

  /** Opens a websocket (console, VNC, exec). A refusal is a StatusError with the server's words. */
  async dial(path: string, options: DialOptions = {}, signal?: AbortSignal): Promise<WebSocket> {
    // Most who talk to the API server never need one.
    const { dialWebSocket } = await import('./websocket.ts');
    const headers = { 'user-agent': this.#userAgent, ...this.#transport.authorizationHeaders() };
    return dialWebSocket(
      this.#transport.access(),
      path,
      { ...options, headers: { ...headers, ...options.headers } },
      signal,
    );
  }

  /** Drops all connections; pending requests fail. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #write<T extends KubernetesObject>(
    method: 'POST' | 'PUT',
    resource: Resource<T>,
    where: { readonly namespace?: string; readonly name?: string },
    object: T,
    options: WriteOptions,
    signal?: AbortSignal,
  ): Promise<T> {
    const body =
      object.kind === undefined
        ? { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object }
        : object;
    return this.request<T>(
      {
        method,
        path: pathOf(resource, { ...where, subresource: options.subresource }),
        query: writeQuery(options),
        body: JSON.stringify(body),
      },
      signal,
    );
  }

  #withHeaders(request: HttpRequest): HttpRequest {
    return {
      ...request,
      headers: {
        accept: 'application/json',
        'user-agent': this.#userAgent,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
    };
  }
}

function writeQuery(options: WriteOptions): HttpRequest['query'] {
  return {
    dryRun: options.dryRun === true ? 'All' : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
}
