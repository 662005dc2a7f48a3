/**
 * The fixed grammar of Kubernetes URLs: what a path and a method ask for. What is authorised here is what is served,
 * also by extension servers: a path that could be read in two ways is refused first.
 */
import { memberOf, parseRequestPath, type RequestPath } from '@podvisor/base';
import { badRequest } from './status.ts';

export interface RequestInfo {
  /** In its one form (see `parseRequestPath`). */
  readonly path: string;
  /** The query as it came, with its question mark. */
  readonly search: string;
  readonly query: URLSearchParams;
  readonly isResource: boolean;
  readonly verb: string;
  readonly prefix: 'api' | 'apis' | '';
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The path's parts after the prefix and version, decoded. */
  readonly parts: readonly string[];
  /** The deprecated `/watch/` prefix was used. */
  readonly watchPrefix: boolean;
  readonly method: string;
  /** What follows `proxy` in the path, as it came: only the server behind the proxy reads it. */
  readonly proxied: string;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Subresources of namespaces; anything else under a namespace is a resource in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** The part of a path that names a proxy; what follows is not ours to read. */
const PROXY = /^\/api\/v1\/(?:namespaces\/[^/]+\/(?:pods|services)|nodes)\/[^/]+\/proxy(?=\/)/;

/** Parses a request target. Throws 400 when its path is not normal. */
export function parseRequest(method: string, target: string): RequestInfo {
  const info = requestInfoOf(method, target);
  if (info !== undefined) return info;
  throw badRequest(
    'the path of the request is not normal: it has dot segments, empty segments, an encoded slash, backslashes, control characters or broken escapes',
  );
}

/** What a request target asks for; undefined when its path is not normal. */
export function requestInfoOf(method: string, target: string): RequestInfo | undefined {
  const own = PROXY.exec(target.split('?')[0] ?? '')?.[0];
  const search = target.includes('?') ? target.slice(target.indexOf('?')) : '';
  const parsed = parseRequestPath(own === undefined ? target : own + search);
  if (parsed === undefined) return undefined;
  const proxied = own === undefined ? '' : target.slice(own.length, target.length - search.length);
  return infoOf(method, parsed, proxied);
}

function infoOf(method: string, { path, segments, search }: RequestPath, proxied: string): RequestInfo {
  const query = new URLSearchParams(search);
  const none: RequestInfo = {
    path: path + proxied,
    search,
    query,
    method,
    proxied,
    isResource: false,
    verb: method.toLowerCase(),
    prefix: '',
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    parts: [],
    watchPrefix: false,
  };
  const [prefix] = segments;
  if (prefix !== 'api' && prefix !== 'apis') return none;
  const skip = prefix === 'api' ? 2 : 3;
  const group = prefix === 'api' ? '' : (segments[1] ?? '');
  const api = { ...none, prefix, group, version: segments[skip - 1] ?? '' } as const;
  if (segments.length <= skip) return api;
  const watchPrefix = segments[skip] === 'watch' && (method === 'GET' || method === 'HEAD');
  const { namespace, parts } = inNamespace(segments.slice(watchPrefix ? skip + 1 : skip));
  const [resource = '', name = '', subresource = ''] = parts;
  const verb = watchPrefix ? 'watch' : verbOf(method, name, query);
  return { ...api, isResource: true, verb, namespace, resource, name, subresource, parts, watchPrefix };
}

/** The namespace of a path, and the parts that name a resource in it: the namespace itself is one, too. */
function inNamespace(all: readonly string[]): Pick<RequestInfo, 'namespace' | 'parts'> {
  const [first, namespace, third = ''] = all;
  if (first !== 'namespaces' || namespace === undefined) return { namespace: '', parts: all };
  const isItself = all.length <= 2 || NAMESPACE_SUBRESOURCES.has(third);
  return { namespace, parts: isItself ? all : all.slice(2) };
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = memberOf(VERBS, method) ?? '';
  if (name !== '') return verb;
  if (verb === 'get') return isTrue(query.get('watch')) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

/** Kubernetes' reading of a boolean query parameter: present and not `false` or `0`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}
