/** The fixed URL grammar of the aggregated API. A path is taken whole or refused. */
import { GROUP, VERSIONS } from './discovery.ts';

/** Where the namespace stands in a path. */
const NAMESPACE_INDEX = 4;

export type ApiPath =
  | {
      readonly kind: 'object';
      readonly version: string;
      readonly namespace: string;
      readonly resource: string;
      readonly name: string;
      /** What follows the name. */
      readonly rest: readonly string[];
    }
  | {
      readonly kind: 'namespace';
      readonly version: string;
      readonly namespace: string;
      readonly resource: string;
    };

/**
 * Undefined when the path is not one of ours. Segments that are empty or hide a slash never match, but for an empty
 * namespace before a resource without a name: that one is told what is missing.
 */
export function parseApiPath(pathname: string): ApiPath | undefined {
  const segments = pathname.split('/').slice(1).map(decodeSegment);
  const isRefused = (segment: string | undefined, index: number): boolean =>
    segment === undefined ||
    segment.includes('/') ||
    (segment === '' && !(index === NAMESPACE_INDEX && segments.length === NAMESPACE_INDEX + 2));
  if (segments.some(isRefused)) return undefined;
  const [apis, group, version = '', namespaces, namespace = '', resource = '', name, ...rest] = segments.map(
    (segment) => segment ?? '',
  );
  if (apis !== 'apis' || group !== GROUP || namespaces !== 'namespaces') return undefined;
  if (!VERSIONS.some((known) => known === version) || resource === '') return undefined;
  if (name === undefined) return { kind: 'namespace', version, namespace, resource };
  return rest.length === 0 ? undefined : { kind: 'object', version, namespace, resource, name, rest };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray percent sign is no path of ours.
    return undefined;
  }
}
