/** The fixed grammar of Kubernetes URLs: what a path and a method ask for. */

export interface RequestInfo {
  readonly path: string;
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
  readonly rawUrl: string;
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

/** Parses. The URL is taken byte for byte; parts are percent-decoded one by one. */
export function parseRequest(method: string, rawUrl: string): RequestInfo {
  const cut = rawUrl.indexOf('?');
  const path = cut < 0 ? rawUrl : rawUrl.slice(0, cut);
  const query = new URLSearchParams(cut < 0 ? '' : rawUrl.slice(cut + 1));
  const all = path
    .split('/')
    .slice(1)
    .filter((part, i, list) => part !== '' || i < list.length - 1)
    .map(decode);
  const base = { path, query, method, rawUrl };
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
  let verb = VERBS[method] ?? '';
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
  return value !== null && value !== 'false' && value !== '0';
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A malformed escape is a name that nothing has.
    return part;
  }
}
