/**
 * Which resources the API server serves that can be listed, watched and deleted. Asked in the aggregated form: two
 * requests, answered by the API server itself, so that extension servers are not disturbed.
 */
import type { KubeClient, Log, Resource } from '@podvisor/kube';

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface GroupDiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly VersionDiscovery[];
  }[];
}

interface VersionDiscovery {
  readonly version: string;
  /** `Stale`: the server behind the group does not answer. */
  readonly freshness?: string;
  readonly resources?: readonly {
    readonly resource: string;
    readonly responseKind?: { readonly kind: string };
    readonly scope: 'Namespaced' | 'Cluster';
    readonly verbs?: readonly string[];
  }[];
}

/** What was found. Nothing may be concluded about the groups that did not answer. */
export interface Discovered {
  readonly resources: readonly Resource[];
  /** `group/version` of each that did not answer. */
  readonly unanswered: readonly string[];
}

/** Asks for the preferred version of every group, but for those that are known to store nothing. */
export async function discover(
  client: Pick<KubeClient, 'request'>,
  log: Log,
  emptyGroups: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Discovered> {
  const lists = await Promise.all(
    ['/api', '/apis'].map((path) =>
      client.request<GroupDiscoveryList>({ method: 'GET', path, headers: { accept: ACCEPT } }, signal),
    ),
  );
  const unanswered: string[] = [];
  const found = lists
    .flatMap(({ items = [] }) => items)
    .flatMap(({ metadata, versions = [] }): Resource[] => {
      const group = metadata?.name ?? '';
      const [preferred] = versions;
      if (preferred === undefined || emptyGroups.has(group)) return [];
      if (preferred.freshness !== 'Stale') return resourcesOf(group, preferred);
      // An extension server that is down hides its own resources, never those of the others.
      log.info({ group, version: preferred.version }, 'group does not answer discovery');
      unanswered.push(`${group}/${preferred.version}`);
      return [];
    });
  return { resources: found, unanswered };
}

function resourcesOf(group: string, { version, resources = [] }: VersionDiscovery): Resource[] {
  return resources
    .filter(({ verbs = [] }) => ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb)))
    .map(({ resource, responseKind, scope }) => ({
      group,
      version,
      plural: resource,
      kind: responseKind?.kind ?? '',
      namespaced: scope === 'Namespaced',
    }));
}
