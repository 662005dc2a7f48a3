/** Kinds and verbs of the subresources of built-in resources. */
import type { Subresource } from './definition.ts';

const READ_WRITE = ['get', 'patch', 'update'];
const PROXY = ['create', 'delete', 'get', 'patch', 'update'];

const SPECIAL: Readonly<Record<string, Omit<Subresource, 'name'>>> = {
  'pods/attach': { kind: 'PodAttachOptions', verbs: ['create', 'get'] },
  'pods/binding': { kind: 'Binding', verbs: ['create'] },
  'pods/eviction': { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  'pods/exec': { kind: 'PodExecOptions', verbs: ['create', 'get'] },
  'pods/log': { kind: 'Pod', verbs: ['get'] },
  'pods/portforward': { kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
  'pods/proxy': { kind: 'PodProxyOptions', verbs: PROXY },
  'services/proxy': { kind: 'ServiceProxyOptions', verbs: PROXY },
  'nodes/proxy': { kind: 'NodeProxyOptions', verbs: PROXY },
  'namespaces/finalize': { kind: 'Namespace', verbs: ['update'] },
  'serviceaccounts/token': {
    kind: 'TokenRequest',
    group: 'authentication.k8s.io',
    version: 'v1',
    verbs: ['create'],
  },
};

const SCALE: Omit<Subresource, 'name'> = {
  kind: 'Scale',
  group: 'autoscaling',
  version: 'v1',
  verbs: READ_WRITE,
};

/** The subresource `name` of `plural`, whose own kind is `kind`. */
export function subresourceOf(plural: string, kind: string, name: string): Subresource {
  const special = SPECIAL[`${plural}/${name}`] ?? (name === 'scale' ? SCALE : { kind, verbs: READ_WRITE });
  return { name, ...special };
}
