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

function infoOf(method: string, { path, segments: all, search }: RequestPath, proxied: string): RequestInfo {
  const query = new URLSearchParams(search);
  const base = { path: path + proxied, search, query, method, proxied };
  const none: RequestInfo = {
    ...base,
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
  const prefix = all[0] === 'api' ? 'api' : all[0] === 'apis' ? 'apis' : '';
  if (prefix === '') return none;
  const skip = prefix === 'api' ? 2 : 3;
  if (all.length <= skip)
    return { ...none, prefix, group: prefix === 'apis' ? (all[1] ?? '') : '', version: all[skip - 1] ?? '' };
  const group = prefix === 'api' ? '' : (all[1] ?? '');
  const version = all[skip - 1] ?? '';
  let parts = all.slice(skip);
  let verb = memberOf(VERBS, method) ?? '';
  const watchPrefix = parts[0] === 'watch' && (method === 'GET' || method === 'HEAD');
  if (watchPrefix) parts = parts.slice(1);
  let namespace = '';
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1] ?? '';
    if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? '')) parts = parts.slice(2);
  }
  const [resource = '', name = '', subresource = ''] = parts;
  if (name === '' && verb === 'get') verb = isTrue(query.get('watch')) ? 'watch' : 'list';
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  if (watchPrefix) verb = 'watch';
  return {
    ...base,
    isResource: true,
    verb,
    prefix,
    group,
    version,
    namespace,
    resource,
    name,
    subresource,
    parts,
    watchPrefix,
  };
}

/** Kubernetes' reading of a boolean query parameter: present and not `false` or `0`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}
