/** Recorded requests of the real `virtctl`: each of them must have somebody who serves it. */
import { kindRegistry } from '@podvisor/api';
import { resourceTable } from '../../../packages/apiserver/src/registry/resources.ts';
import { dataVolumeDefinitions } from '../../../packages/virt-operator/src/install/data-volumes/definitions.ts';
import { snapshotDefinitions } from '../../../packages/cluster/src/bootstrap-objects/volume-snapshots.ts';
import { publicDocuments } from '../../../packages/virt-api/src/discovery.ts';
import { parseApiPath } from '../../../packages/virt-api/src/paths.ts';
import { matchSubresource } from '../../../packages/virt-api/src/subresources/routes.ts';
import { subject } from '../subject.ts';

interface TracedRequest {
  readonly method: string;
  readonly path: string;
  readonly upgrade: string | null;
}
interface TracedCommand {
  readonly command: string;
  readonly requests: readonly TracedRequest[];
}

/** A case is a command line; all of it is input: that each request is served is what is expected. */
export const virtctlTrace = subject<readonly TracedRequest[], undefined, readonly TracedRequest[]>(
  'requests of virtctl',
  /^virtctl\/trace\.json$/,
  {
    load: (text) => {
      const list: readonly TracedCommand[] = JSON.parse(text);
      return list.map(({ command, requests }) => ({ id: command, input: requests, expected: undefined }));
    },
    answer: (requests) => requests.filter((request) => !isServed(request)),
    compare: (_expected, unserved) =>
      unserved.map(({ upgrade, method, path }) => `nobody serves ${upgrade ?? ''} ${method} ${path}`),
  },
);

const documents = publicDocuments('v1.0.0');
/** Kinds of others that the embedded home serves. */
const brought = [...dataVolumeDefinitions(), ...snapshotDefinitions()].map(({ metadata }) => metadata?.name);

function isServed({ method, path, upgrade }: TracedRequest): boolean {
  const { pathname } = new URL(path, 'https://server');
  if (documents.has(pathname)) return method === 'GET';
  const parsed = parseApiPath(pathname);
  if (parsed === undefined) return isResource(pathname);
  if (parsed.kind === 'namespace') return method === 'PUT' && parsed.resource === 'expand-vm-spec';
  if (parsed.resource === 'virtualmachines' && parsed.rest.join('/') === 'expand-spec')
    return method === 'GET';
  return matchSubresource(parsed.resource, parsed.rest).some(
    ({ route }) => route.method === method && (route.stream ?? false) === (upgrade === 'websocket'),
  );
}

/** Paths of stored objects: `/api/v1/…` and `/apis/GROUP/VERSION/…`, in a namespace or not. */
function isResource(pathname: string): boolean {
  const match = /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/[^/]+)?\/([^/]+)(?:\/[^/]+)?$/.exec(
    pathname,
  );
  if (match === null) return false;
  const [, group = '', version, plural] = match;
  return (
    kindRegistry.some(
      (kind) =>
        kind.group === group && kind.plural === plural && kind.versions.some((v) => v.name === version),
    ) ||
    brought.some((name) => name === `${plural}.${group}`) ||
    resourceTable().some(
      (row) =>
        row.group === group && row.version === version && row.resources.some((r) => r.plural === plural),
    )
  );
}
