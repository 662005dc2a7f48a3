/**
 * From a request to an answer: authenticate, authorize, find the resource, run the verb. Everything outside
 * the resource tree (health, version, discovery, OpenAPI) is answered by `nonResource`.
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf, StatusError } from '@podvisor/base';
import type { Aggregator } from './aggregation/aggregator.ts';
import type { Auditor, Sender } from './audit/auditor.ts';
import type { Authenticator } from './authn/authenticator.ts';
import { impersonate } from './authn/impersonation.ts';
import { forbiddenMessage } from './authz/messages.ts';
import type { Core, UserInfo, VerbContext } from './core.ts';
import type { NonResource } from './discovery/non-resource.ts';
import type { ResourceDefinition } from './registry/definition.ts';
import type { PodUpgrades } from './streaming/upgrades.ts';
import { type InFlight, isLongRunning } from './limits/in-flight.ts';
import type { ServerMetrics } from './measure/server-metrics.ts';
import { limitTime } from './limits/time-limit.ts';
import { prepareConversion } from './verbs/convert.ts';
import { admitConnect } from './admission/connect.ts';
import { dispatch } from './verbs/dispatch.ts';
import { readBody, readText } from './wire/body.ts';
import { type ApiRequest, type ApiResponse, isGone } from './wire/exchange.ts';
import { parseFieldSelector } from './wire/field-selector.ts';
import { parseRequest, type RequestInfo } from './wire/request-info.ts';
import { type ResponseContext, respond } from './wire/respond.ts';
import { respondError } from './wire/respond-error.ts';
import { badRequest, noSuchResource, PlainError, ReasonlessError } from './wire/status.ts';

const SELECTING = ['list', 'watch', 'deletecollection'];
/** One for all: without a reason each request would make an error of its own, with its stack. */
const ENDED = new Error('the request has ended');

export interface RouterParts {
  readonly core: Core;
  readonly authenticator: Authenticator;
  readonly nonResource: NonResource;
  readonly aggregator: Aggregator;
  readonly podUpgrades: PodUpgrades;
  readonly auditor: Auditor | undefined;
  readonly inFlight: InFlight;
  readonly metrics: Pick<ServerMetrics, 'follow'>;
  /** How long an answer may take; see ServerLimits. */
  readonly requestMs: number;
  readonly signal: AbortSignal;
}

export class Router {
  readonly #parts: RouterParts;

  constructor(parts: RouterParts) {
    this.#parts = parts;
  }

  /** Answers one request; never rejects. */
  async handle(request: ApiRequest, response: ApiResponse): Promise<void> {
    // A client that is gone, or an answer that broke, must never be more than the end of this one request.
    response.on('error', () => response.destroy());
    const warnings: string[] = [];
    const context: ResponseContext = {
      response,
      accept: request.headers.accept,
      acceptEncoding: header(request.headers['accept-encoding']),
      userAgent: request.headers['user-agent'],
      pretty: null,
      warnings,
    };
    let to = context;
    try {
      const info = parseRequest(request.method ?? 'GET', request.url ?? '/');
      to = { ...context, pretty: info.query.get('pretty') };
      this.#parts.metrics.follow(info, response);
      await this.#route(request, response, info, to, warnings);
    } catch (error) {
      this.#fail(to, error);
    }
  }

  /** Answers a request to switch protocols (websocket, SPDY); never rejects. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const { core, auditor } = this.#parts;
    let code: number | undefined;
    try {
      const info = parseRequest(request.method ?? 'GET', request.url ?? '/');
      const user = this.#admitted(request, info, (sender) =>
        auditor?.followUpgrade(request, socket, info, sender, () => code),
      );
      if (this.#parts.podUpgrades.serves(info)) {
        const definition = core.registry.find(info.group, info.version, info.resource);
        if (definition === undefined) throw unknownPath(core, info);
        await admitConnect(core, definition, info, user);
        this.#parts.podUpgrades.handle(request, socket, head, info);
        return;
      }
      if (!this.#parts.aggregator.serves(info)) throw badRequest('you may not upgrade this request');
      this.#parts.aggregator.upgrade(request, socket, head, info, user);
    } catch (error) {
      const status =
        error instanceof StatusError ? error : new StatusError('InternalError', messageOf(error));
      code = status.code;
      const body = JSON.stringify(status.toBody());
      socket.end(
        `HTTP/1.1 ${status.code} ${STATUS_CODES[status.code] ?? ''}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    }
  }

  /** That `user` may do this. Throws 403. */
  #authorize(user: UserInfo, info: RequestInfo): void {
    const { core } = this.#parts;
    const access = {
      verb: info.isResource ? info.verb : info.method.toLowerCase(),
      isResource: info.isResource,
      group: info.group,
      version: info.version,
      resource: info.resource,
      subresource: info.subresource,
      name: info.name === '' ? selectedName(info) : info.name,
      namespace: info.namespace,
      path: info.path,
      fieldSelector: info.query.get('fieldSelector') ?? '',
      labelSelector: info.query.get('labelSelector') ?? '',
    };
    if (!core.authorizer.authorize(user, access).allowed) throw forbiddenMessage(user, access);
  }

  /** In whose name the request is sent. Throws 401 or 403; whoever is refused is noted, too. */
  #admitted(request: ApiRequest, info: RequestInfo, note: (sender: Sender) => void): UserInfo {
    const { core, authenticator } = this.#parts;
    let sender: Sender = {};
    try {
      const real = authenticator.authenticate(request);
      sender = { user: real };
      const user = impersonate(core.authorizer, real, request.headers);
      if (user !== real) sender = { user: real, actsAs: user };
      this.#authorize(user, info);
      return user;
    } finally {
      note(sender);
    }
  }

  async #route(
    request: ApiRequest,
    response: ApiResponse,
    info: RequestInfo,
    to: ResponseContext,
    warnings: string[],
  ): Promise<void> {
    const { core, nonResource, aggregator, signal } = this.#parts;
    const auditAnnotations = new Map<string, string>();
    const user = this.#admitted(request, info, (sender) =>
      this.#parts.auditor?.follow(request, response, info, sender, auditAnnotations),
    );
    response.once('close', this.#parts.inFlight.enter(info, user));
    if (!isLongRunning(info))
      limitTime(response, core.clock, this.#parts.requestMs, (error) => this.#fail(to, error));
    if (aggregator.serves(info)) {
      await aggregator.proxy(request, response, info, user);
      return;
    }
    if (!info.isResource) {
      await nonResource.handle(info, request, to, user);
      return;
    }
    const definition = core.registry.find(info.group, info.version, info.resource);
    if (definition === undefined || !fits(definition, info)) throw unknownPath(core, info);
    let ended: AbortSignal | undefined;
    const context: VerbContext = {
      core,
      info,
      definition,
      user,
      headers: request.headers,
      warnings,
      auditAnnotations,
      readBody: () => readText(request),
      readBytes: () => readBody(request),
      // Only answers that go on, as watches do, have a use for it.
      get signal() {
        return (ended ??= endOf(response, signal));
      },
    };
    const deprecation = definition.custom?.deprecation ?? definition.rules.deprecation;
    if (deprecation !== undefined && (info.subresource !== '' || definition.verbs.includes(info.verb)))
      warnings.push(deprecation);
    const answer = await dispatch(context, request, response);
    if (answer.kind === 'object') await prepareConversion(definition, [answer.stored.object], 'out');
    if (answer.kind === 'list')
      await prepareConversion(
        definition,
        answer.items.map(({ object }) => object),
        'out',
      );
    // The time may have been up meanwhile: the client has its answer.
    if (!response.headersSent) respond(to, context, answer);
  }

  #fail(to: ResponseContext, error: unknown): void {
    if (
      !(error instanceof StatusError) &&
      !(error instanceof PlainError) &&
      !(error instanceof ReasonlessError)
    ) {
      this.#parts.core.log.error(
        { err: error instanceof Error ? error.stack : String(error) },
        'a request failed unexpectedly',
      );
    }
    try {
      respondError(to, error);
    } catch (failure) {
      // Whatever it was that could not be told: the client hears the end, and nobody else is harmed.
      this.#parts.core.log.error({ err: messageOf(failure) }, 'an error could not be answered');
      to.response.destroy();
    }
  }
}

/** Aborted when the answer is over, however it ended, or the server ends. */
function endOf(response: ApiResponse, server: AbortSignal): AbortSignal {
  const ended = new AbortController();
  if (isGone(response)) ended.abort(ENDED);
  else response.once('close', () => ended.abort(ENDED));
  return AbortSignal.any([server, ended.signal]);
}

/** A list or watch that selects one name asks for that object, also for who may. */
function selectedName({ isResource, verb, query }: RequestInfo): string {
  const selector = query.get('fieldSelector');
  if (!isResource || !SELECTING.includes(verb) || selector === null) return '';
  try {
    return (
      parseFieldSelector(selector).find(({ field, equal }) => field === 'metadata.name' && equal)?.value ?? ''
    );
  } catch {
    return ''; // told by the verb, to those who may ask
  }
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

/** A namespaced path to a cluster-scoped resource does not exist, nor does a path that goes on too long. */
function fits(
  definition: ResourceDefinition,
  { namespace, name, subresource, parts, resource }: RequestInfo,
): boolean {
  if (!definition.namespaced && namespace !== '' && resource !== 'namespaces') return false;
  if (definition.namespaced && namespace === '' && name !== '') return false;
  if (definition.custom === undefined && subresource !== '' && !definition.subresources.has(subresource))
    return false;
  return parts.length <= 3 || definition.custom !== undefined || subresource === 'proxy';
}

function unknownPath(core: Core, info: RequestInfo): Error {
  if (info.watchPrefix && info.resource === '') {
    return new PlainError(
      500,
      `Internal Server Error: "${info.path}": failed to create RequestInfo: unable to determine kind and namespace from url, ${info.path}`,
    );
  }
  const known = [...core.registry.all()].some((d) => d.group === info.group && d.custom === undefined);
  if (!known) return new PlainError(404, '404 page not found');
  return noSuchResource();
}
