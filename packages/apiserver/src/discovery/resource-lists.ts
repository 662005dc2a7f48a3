/** Discovery: groups, versions and resources, in the classic and the aggregated form. */
import { createHash } from 'node:crypto';
import type { ResourceDefinition } from '../registry/definition.ts';
import { builtinPriority, CUSTOM_PRIORITY, type Priority } from '../registry/group-priorities.ts';
import type { Registry } from '../registry/registry.ts';
import type { JsonObject } from '../wire/json.ts';

const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** Changes when objects are stored under another version. */
function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}

/** Kinds that the real server still stores in an older version; clients only compare the hash. */
const HASHED_VERSION: Readonly<Record<string, string>> = {
  customresourcedefinitions: 'v1beta1',
  mutatingadmissionpolicies: 'v1beta1',
  mutatingadmissionpolicybindings: 'v1beta1',
};

/** An aggregated API service that stands beside the served groups. */
export interface ForeignGroupVersion {
  readonly group: string;
  readonly version: string;
  /** Its resources as last seen; undefined when it does not answer. */
  readonly resources: readonly JsonObject[] | undefined;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** `GET /api/v1`, `GET /apis/<group>/<version>`. */
export function resourceList(definitions: readonly ResourceDefinition[], groupVersion: string): JsonObject {
  const resources = definitions.flatMap((definition) => [mainEntry(definition), ...subEntries(definition)]);
  return {
    kind: 'APIResourceList',
    ...(groupVersion.includes('/') ? { apiVersion: 'v1' } : {}),
    groupVersion,
    resources,
  };
}

function isStored({ verbs }: ResourceDefinition): boolean {
  return verbs.includes('watch');
}

function mainEntry(definition: ResourceDefinition): JsonObject {
  const { group, kind, plural, singular, namespaced, shortNames, categories, custom, storageVersion } =
    definition;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: custom === undefined ? [...definition.verbs] : CUSTOM_VERBS,
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(isStored(definition)
      ? { storageVersionHash: storageVersionHash(group, HASHED_VERSION[plural] ?? storageVersion, kind) }
      : {}),
  };
}

function subEntries({ plural, namespaced, subresources, custom }: ResourceDefinition): JsonObject[] {
  return [...subresources.values()].map((sub) => ({
    name: `${plural}/${sub.name}`,
    singularName: '',
    namespaced,
    ...(sub.group === undefined ? {} : { group: sub.group, version: sub.version ?? '' }),
    kind: sub.kind,
    verbs: custom === undefined ? [...sub.verbs] : ['get', 'patch', 'update'],
  }));
}

/** Group versions in Kubernetes' order: GA before beta before alpha, higher numbers first. */
export function compareVersions(a: string, b: string): number {
  const parse = (text: string): readonly [number, number, number] | undefined => {
    const match = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(text);
    if (match === null) return undefined;
    return [
      match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1,
      Number(match[1]),
      Number(match[3] ?? 0),
    ];
  };
  const [x, y] = [parse(a), parse(b)];
  if (x === undefined || y === undefined)
    return x === y ? (a < b ? -1 : a > b ? 1 : 0) : x === undefined ? 1 : -1;
  return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
}

/** Served groups, in the order of `GET /apis`: by priority, then by name; the group of APIServices itself first. */
export function groupsOf(
  registry: Registry,
  foreign: readonly ForeignGroupVersion[],
): { group: string; versions: string[] }[] {
  const found = new Map<string, { priority: number; versions: Map<string, number> }>();
  const note = (group: string, version: string, priority: Priority): void => {
    const entry = found.get(group) ?? { priority: 0, versions: new Map() };
    entry.priority = Math.max(entry.priority, priority.group);
    entry.versions.set(version, priority.version);
    found.set(group, entry);
  };
  for (const { group, version, custom } of registry.all())
    if (group !== '')
      note(group, version, custom === undefined ? builtinOrFirst(group, version) : CUSTOM_PRIORITY);
  for (const { group, version, groupPriority, versionPriority } of foreign)
    note(group, version, { group: groupPriority, version: versionPriority });
  return [...found]
    .toSorted(([a, x], [b, y]) => y.priority - x.priority || (a < b ? -1 : 1))
    .map(([group, { versions }]) => ({
      group,
      versions: [...versions].toSorted(([a, x], [b, y]) => y - x || compareVersions(a, b)).map(([v]) => v),
    }));
}

function builtinOrFirst(group: string, version: string): Priority {
  return builtinPriority(group, version) ?? { group: Number.MAX_SAFE_INTEGER, version: 0 };
}

export function apiGroup(group: string, versions: readonly string[], standalone: boolean): JsonObject {
  const entries = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return {
    ...(standalone ? { kind: 'APIGroup', apiVersion: 'v1' } : {}),
    name: group,
    versions: entries,
    preferredVersion: entries[0] ?? { groupVersion: '', version: '' },
  };
}

/** The aggregated form: all groups with all their resources at once. */
export function aggregatedDiscovery(
  registry: Registry,
  foreign: readonly ForeignGroupVersion[],
  core: boolean,
): JsonObject {
  const groups = core ? [{ group: '', versions: ['v1'] }] : groupsOf(registry, foreign);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: { ...(group === '' ? {} : { name: group }), creationTimestamp: null },
      versions: versions.map((version) => versionDiscovery(registry, foreign, group, version)),
    })),
  };
}

function versionDiscovery(
  registry: Registry,
  foreign: readonly ForeignGroupVersion[],
  group: string,
  version: string,
): JsonObject {
  const other = foreign.find((f) => f.group === group && f.version === version);
  if (other !== undefined) {
    return {
      version,
      resources: foreignResources(other),
      freshness: other.resources === undefined ? 'Stale' : 'Current',
    };
  }
  const definitions = definitionsOf(registry, group, version);
  return { version, resources: definitions.map(aggregatedResource), freshness: 'Current' };
}

export function definitionsOf(registry: Registry, group: string, version: string): ResourceDefinition[] {
  return [...registry.all()]
    .filter((d) => d.group === group && d.version === version)
    .toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
}

function aggregatedResource(definition: ResourceDefinition): JsonObject {
  const { group, version, kind, plural, singular, namespaced, shortNames, categories } = definition;
  const subresources = [...definition.subresources.values()].map((sub) => ({
    subresource: sub.name,
    responseKind: { group: sub.group ?? group, version: sub.version ?? version, kind: sub.kind },
    verbs: definition.custom === undefined ? [...sub.verbs] : ['get', 'patch', 'update'],
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: definition.custom === undefined ? [...definition.verbs] : CUSTOM_VERBS,
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function foreignResources({ resources, group, version }: ForeignGroupVersion): JsonObject[] {
  const main = (resources ?? []).filter((r) => !String(r['name']).includes('/'));
  return main.map((r) => ({
    resource: r['name'],
    responseKind: {
      group: String(r['group'] ?? group),
      version: String(r['version'] ?? version),
      kind: r['kind'],
    },
    scope: r['namespaced'] === true ? 'Namespaced' : 'Cluster',
    singularResource: r['singularName'],
    verbs: r['verbs'],
    ...(r['shortNames'] === undefined ? {} : { shortNames: r['shortNames'] }),
    ...(r['categories'] === undefined ? {} : { categories: r['categories'] }),
    subresources: (resources ?? [])
      .filter((s) => String(s['name']).startsWith(`${String(r['name'])}/`))
      .map((s) => ({
        subresource: String(s['name']).split('/')[1],
        responseKind: { group, version, kind: s['kind'] },
        verbs: s['verbs'],
      })),
  }));
}
