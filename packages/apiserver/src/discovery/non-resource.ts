/** Paths outside the resource tree: health, version, discovery, OpenAPI, metrics. */
import type { Aggregator } from '../aggregation/aggregator.ts';
import type { Core, UserInfo } from '../core.ts';
import type { ServerMetrics } from '../measure/server-metrics.ts';
import type { JsonObject } from '../wire/json.ts';
import { negotiate } from '../wire/negotiate.ts';
import type { RequestInfo } from '../wire/request-info.ts';
import { type ResponseContext, sendJson } from '../wire/respond.ts';
import { methodNotAllowed, noSuchResource, PlainError } from '../wire/status.ts';
import { OpenApi } from './openapi.ts';
import { aggregatedDiscovery, apiGroup, definitionsOf, groupsOf, resourceList } from './resource-lists.ts';
import { VERSION } from './version.ts';
import type { ApiRequest } from '../wire/exchange.ts';

const CHECKS = [
  'ping',
  'log',
  'etcd',
  'informer-sync',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/rbac/bootstrap-roles',
];
const AGGREGATED =
  /application\/json;(?=[^,]*as=APIGroupDiscoveryList)(?=[^,]*v=(v2|v2beta1))(?=[^,]*g=apidiscovery\.k8s\.io)/;

export class NonResource {
  readonly #core: Core;
  readonly #aggregator: Aggregator;
  readonly #metrics: Pick<ServerMetrics, 'answer'>;
  readonly #openApi: OpenApi;
  readonly #address: string;
  readonly #jwks: () => JsonObject;
  readonly #issuer: string;

  constructor(
    core: Core,
    aggregator: Aggregator,
    metrics: Pick<ServerMetrics, 'answer'>,
    address: string,
    issuer: string,
    jwks: () => JsonObject,
  ) {
    this.#metrics = metrics;
    this.#core = core;
    this.#aggregator = aggregator;
    this.#openApi = new OpenApi(core.registry);
    this.#address = address;
    this.#issuer = issuer;
    this.#jwks = jwks;
  }

  async handle(info: RequestInfo, request: ApiRequest, to: ResponseContext, _user: UserInfo): Promise<void> {
    const path = info.path.length > 1 ? info.path.replace(/\/$/, '') : info.path;
    const [first = '', second, third, fourth] = path.slice(1).split('/');
    if (first === 'healthz' || first === 'livez' || first === 'readyz') {
      this.#health(first, path, info, to);
      return;
    }
    if (path === '/metrics' || path === '/metrics/slis') {
      this.#metrics.answer(request, to.response);
      return;
    }
    if (first === 'openapi') {
      this.#openApi.handle(path, request, to);
      return;
    }
    const body = this.#body(first, second, third, fourth, path, request, to);
    if (body === undefined) {
      const builtin =
        (first === 'api' && second !== undefined) ||
        [...this.#core.registry.all()].some(
          (d) => first === 'apis' && d.group === second && third !== undefined && d.custom === undefined,
        );
      throw builtin ? noSuchResource() : new PlainError(404, '404 page not found');
    }
    if (path === '/' && info.method === 'OPTIONS') {
      to.response.writeHead(200, { 'content-type': 'application/json' }).end();
      return;
    }
    if (info.method !== 'GET') throw methodNotAllowed();
    const form = negotiate(
      to.accept?.includes('APIGroupDiscoveryList') === true ? undefined : to.accept,
      undefined,
    );
    // Aggregated discovery is a media type of its own; clients fall back when it is not named.
    const version =
      body['kind'] === 'APIGroupDiscoveryList' ? String(body['apiVersion']).split('/')[1] : undefined;
    sendJson(
      to,
      200,
      body,
      version === undefined
        ? form
        : {
            ...form,
            contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
          },
    );
    await Promise.resolve();
  }

  #body(
    first: string,
    second: string | undefined,
    third: string | undefined,
    fourth: string | undefined,
    path: string,
    request: ApiRequest,
    to: ResponseContext,
  ): JsonObject | undefined {
    const { registry } = this.#core;
    const foreign = this.#aggregator.groupVersions();
    if (path === '/') return { paths: this.#paths() };
    if (path === '/version') return VERSION;
    if (path === '/.well-known/openid-configuration')
      return {
        issuer: this.#issuer,
        jwks_uri: `https://${this.#address}/openid/v1/jwks`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      };
    if (path === '/openid/v1/jwks') return this.#jwks();
    const aggregated = AGGREGATED.exec(request.headers.accept ?? '');
    if (path === '/api' || path === '/apis') {
      if (aggregated !== null) {
        to.response.setHeader('vary', 'Accept');
        const version = aggregated[1] ?? 'v2';
        return {
          ...aggregatedDiscovery(registry, foreign, path === '/api'),
          apiVersion: `apidiscovery.k8s.io/${version}`,
        };
      }
      if (path === '/api')
        return {
          kind: 'APIVersions',
          versions: ['v1'],
          serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: this.#address }],
        };
      return {
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: groupsOf(registry, foreign).map(({ group, versions }) => apiGroup(group, versions, false)),
      };
    }
    if (first === 'api' && second === 'v1' && third === undefined)
      return resourceList(definitionsOf(registry, '', 'v1'), 'v1');
    if (first !== 'apis' || second === undefined || fourth !== undefined) return undefined;
    return this.#group(second, third);
  }

  #group(group: string, version: string | undefined): JsonObject | undefined {
    const { registry } = this.#core;
    const found = groupsOf(registry, this.#aggregator.groupVersions()).find((g) => g.group === group);
    if (found === undefined) return undefined;
    if (version === undefined) return apiGroup(group, found.versions, true);
    if (!found.versions.includes(version)) return undefined;
    return resourceList(definitionsOf(registry, group, version), `${group}/${version}`);
  }

  #paths(): string[] {
    const groups = groupsOf(this.#core.registry, this.#aggregator.groupVersions());
    const apis = groups.flatMap(({ group, versions }) => [
      `/apis/${group}`,
      ...versions.map((version) => `/apis/${group}/${version}`),
    ]);
    return [
      '/.well-known/openid-configuration',
      '/api',
      '/api/v1',
      '/apis',
      ...apis,
      '/healthz',
      '/livez',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/openid/v1/jwks',
      '/readyz',
      '/version',
    ];
  }

  #health(kind: string, path: string, info: RequestInfo, to: ResponseContext): void {
    const check = path.slice(kind.length + 2);
    if (check !== '' && !CHECKS.includes(check)) throw new PlainError(404, '404 page not found');
    const verbose = info.query.has('verbose') && check === '';
    const lines = CHECKS.map((name) => `[+]${name} ok\n`).join('');
    const text = verbose ? `${lines}${kind} check passed\n` : 'ok';
    to.response.writeHead(200, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache, private',
    });
    to.response.end(text);
  }
}
