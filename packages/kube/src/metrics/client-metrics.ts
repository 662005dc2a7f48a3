/** What a component asks of the API server, counted and timed by KubeVirt's names. */
import { ALL_METRICS } from '@podvisor/api';
import { Histogram, Meter, type MetricFamily } from '@podvisor/base';

/** One request that was answered, or (code 0) was not. */
export interface ObservedRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly code: number;
  readonly seconds: number;
  readonly isWatch: boolean;
}

const BOUNDS_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

export class ClientMetrics {
  readonly #requests = new Meter(ALL_METRICS.restClientRequestsTotal);
  readonly #latency = new Histogram(ALL_METRICS.restClientRequestLatencySeconds, BOUNDS_SECONDS);

  #lastCode = 0;

  /** Whether the API server answered the last request. */
  get isAnswered(): boolean {
    return this.#lastCode !== 0;
  }

  readonly observe = (request: ObservedRequest): void => {
    const { resource, name, url } = describePath(request.path);
    const verb = request.isWatch ? 'WATCH' : verbOf(request.method, name);
    this.#lastCode = request.code;
    const code = request.code === 0 ? '<error>' : String(request.code);
    const { method, host } = request;
    this.#requests.add({ code, method, host, resource, verb });
    if (!request.isWatch) this.#latency.observe({ verb, url }, request.seconds);
  };

  families(): readonly MetricFamily[] {
    return [this.#requests.family(), this.#latency.family()];
  }
}

function verbOf(method: string, name: boolean): string {
  const verbs: Readonly<Record<string, string>> = {
    POST: 'CREATE',
    PUT: 'UPDATE',
    PATCH: 'PATCH',
    DELETE: name ? 'DELETE' : 'DELETE_COLLECTION',
    GET: name ? 'GET' : 'LIST',
  };
  return verbs[method] ?? method;
}

/** Names and namespaces are cut out: there are too many of them for labels. */
export function describePath(path: string): {
  readonly resource: string;
  readonly name: boolean;
  readonly url: string;
} {
  const parts = path.split('/').filter((part) => part !== '');
  const from = parts[0] === 'api' ? 2 : 3;
  const prefix = parts.slice(0, from);
  const rest = parts.slice(from);
  const namespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name, ...subresource] = namespaced ? rest.slice(2) : rest;
  const url = [
    ...prefix,
    ...(namespaced ? ['namespaces', '{namespace}'] : []),
    ...(resource === '' ? [] : [resource]),
    ...(name === undefined ? [] : ['{name}']),
    ...subresource,
  ].join('/');
  return { resource, name: name !== undefined, url: `/${url}` };
}
