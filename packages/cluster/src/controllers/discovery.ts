/** Which resources the API server serves that can be listed, watched and deleted. */
import { messageOf } from '@podvisor/base';
import type { KubeClient, Log, Resource } from '@podvisor/kube';

interface GroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly preferredVersion?: { readonly groupVersion: string };
  }[];
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs?: readonly string[];
  }[];
}

/** What was found. `complete` is false when a group did not answer: then nothing may be concluded from absence. */
export interface Discovered {
  readonly resources: readonly Resource[];
  readonly complete: boolean;
}

/** Asks for the preferred version of every group, but for those that are known to store nothing. */
export async function discover(
  client: Pick<KubeClient, 'request'>,
  log: Log,
  emptyGroups: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Discovered> {
  const { groups = [] } = await client.request<GroupList>({ method: 'GET', path: '/apis' }, signal);
  const asked = groups.filter(({ name }) => !emptyGroups.has(name));
  const versions = ['v1', ...asked.flatMap(({ preferredVersion }) => preferredVersion?.groupVersion ?? [])];
  const found = await Promise.all(versions.map((version) => resourcesOf(client, version, log, signal)));
  return {
    resources: found.flatMap((list) => list ?? []),
    complete: found.every((list) => list !== undefined),
  };
}

async function resourcesOf(
  client: Pick<KubeClient, 'request'>,
  groupVersion: string,
  log: Log,
  signal?: AbortSignal,
): Promise<Resource[] | undefined> {
  const slash = groupVersion.indexOf('/');
  const path = slash < 0 ? `/api/${groupVersion}` : `/apis/${groupVersion}`;
  try {
    const list = await client.request<ResourceList>({ method: 'GET', path }, signal);
    return (list.resources ?? [])
      .filter(
        ({ name, verbs = [] }) =>
          !name.includes('/') && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb)),
      )
      .map(({ name, kind, namespaced }) => ({
        group: slash < 0 ? '' : groupVersion.slice(0, slash),
        version: groupVersion.slice(slash + 1),
        plural: name,
        kind,
        namespaced,
      }));
  } catch (error) {
    // An aggregated server that is down hides its own resources, never those of the others.
    log.info({ groupVersion, error: messageOf(error) }, 'group does not answer discovery');
    return undefined;
  }
}
