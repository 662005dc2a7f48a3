/** Documents that describe the aggregated API, and version information. Plain data. */
import { subresourceRoutes } from './subresources/routes.ts';

export const GROUP = 'subresources.kubevirt.io';
export const VERSIONS = ['v1', 'v1alpha3'] as const;

const groupVersions = VERSIONS.map((version) => ({ groupVersion: `${GROUP}/${version}`, version }));

const apiGroup = {
  kind: 'APIGroup',
  apiVersion: 'v1',
  name: GROUP,
  versions: groupVersions,
  preferredVersion: groupVersions[0],
} as const;

/** Resources have no verbs here: they are reached through their parents, and `kubectl` must not list them. */
function resourceList(version: string): unknown {
  const names = new Set(subresourceRoutes.map(({ resource, subresource }) => `${resource}/${subresource}`));
  const resource = (name: string, namespaced: boolean) => ({
    name,
    singularName: '',
    namespaced,
    kind: '',
    verbs: [],
  });
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${GROUP}/${version}`,
    resources: [
      ...[...names].toSorted().map((name) => resource(name, true)),
      resource('virtualmachines/expand-spec', true),
      resource('expand-vm-spec', true),
      resource('version', false),
      resource('guestfs', false),
      resource('healthz', false),
    ],
  };
}

/** `{major, minor, gitVersion …}` as `virtctl version` prints it. */
export function versionInfo(gitVersion: string): unknown {
  const [major = '', minor = ''] = gitVersion.replace(/^v/, '').split('.');
  return {
    major,
    minor,
    gitVersion,
    gitCommit: 'unknown',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'tsc',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}

/** Answers that need no user, by path. */
export function publicDocuments(gitVersion: string): ReadonlyMap<string, unknown> {
  const documents = new Map<string, unknown>([
    [
      '/',
      {
        paths: [
          '/apis',
          `/apis/${GROUP}`,
          ...VERSIONS.map((v) => `/apis/${GROUP}/${v}`),
          '/healthz',
          '/openapi/v2',
          '/openapi/v3',
        ],
      },
    ],
    ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: [apiGroup] }],
    [`/apis/${GROUP}`, apiGroup],
    ['/openapi/v2', { swagger: '2.0', info: { title: GROUP, version: 'v1' }, paths: {}, definitions: {} }],
    ['/openapi/v3', { paths: {} }],
  ]);
  for (const version of VERSIONS) {
    const root = `/apis/${GROUP}/${version}`;
    documents.set(root, resourceList(version));
    documents.set(`${root}/version`, versionInfo(gitVersion));
    documents.set(`${root}/guestfs`, {
      registry: 'quay.io/kubevirt',
      tag: gitVersion,
      digest: '',
      imageName: 'libguestfs-tools',
    });
  }
  return documents;
}
