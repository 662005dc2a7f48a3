/**
 * What admission is asked about a request that opens a connection to a Pod, Service or Node: the operation CONNECT
 * with the options of the request, as `PodExecOptions` and its siblings. Nothing is stored, so nothing can be changed.
 */
import type { Core, UserInfo } from '../core.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { Json, JsonObject, KubeObject } from '../wire/json.ts';
import { isTrue, type RequestInfo } from '../wire/request-info.ts';

const STREAMS = ['stdin', 'stdout', 'stderr', 'tty'];

/** Throws a StatusError when somebody refuses the connection. */
export async function admitConnect(
  core: Core,
  definition: ResourceDefinition,
  info: RequestInfo,
  user: UserInfo,
): Promise<void> {
  const object = connectOptions(definition, info);
  const attributes = {
    operation: 'CONNECT',
    definition,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    object,
    oldObject: undefined,
    user,
    dryRun: false,
    options: {},
    // There is no answer of ours that could carry a warning.
    warn: () => undefined,
  } as const;
  await core.admission.mutate(attributes);
  await core.admission.validate(attributes);
}

function connectOptions(definition: ResourceDefinition, info: RequestInfo): KubeObject {
  const kind = definition.subresources.get(info.subresource)?.kind ?? definition.kind;
  return { apiVersion: 'v1', kind, metadata: {}, ...fieldsOf(info) };
}

function fieldsOf({ subresource, query, proxied }: RequestInfo): JsonObject {
  const container = query.get('container') ?? '';
  switch (subresource) {
    case 'exec':
    case 'attach':
      return {
        ...Object.fromEntries(STREAMS.filter((name) => isTrue(query.get(name))).map((name) => [name, true])),
        ...(container === '' ? {} : { container }),
        ...(subresource === 'exec' ? { command: query.getAll('command') as Json[] } : {}),
      };
    case 'portforward': {
      const ports = query.getAll('ports').flatMap((list) => list.split(',').map(Number));
      return ports.length === 0 ? {} : { ports };
    }
    default:
      return proxied === '' ? {} : { path: proxied };
  }
}
