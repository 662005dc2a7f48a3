/**
 * What a kubelet (`system:node:<name>` in `system:nodes`) may do, as Kubernetes' node authorizer says: read
 * its own Node and Pods, and of Secrets, ConfigMaps and claims those that its Pods name; write its Node,
 * its Lease, the status of its Pods. `node-restriction.ts` looks at what it writes.
 *
 * Beyond Kubernetes: it may look up network attachment definitions (Multus has an account of its own
 * elsewhere), and list the Pods of a VMI that has a Pod on this node (a migration target takes over the
 * address of its source).
 */
import type { Store } from '../object-store.ts';
import { parseFieldSelector } from '../wire/field-selector.ts';
import type { Access } from './authorizer.ts';
import { NodePods } from './node-pods.ts';

const READ = ['get', 'list', 'watch'];
const CHANGE = ['update', 'patch'];
const LEASE_NAMESPACE = 'kube-node-lease';
const VMI_LABEL = 'kubevirt.io/created-by';

type Question = Access & { readonly node: string };
type Rule = (question: Question, pods: NodePods) => boolean;

const verbs =
  (...allowed: readonly string[]): Rule =>
  ({ verb }) =>
    allowed.includes(verb);

/** One object by its name, which a Pod of the node refers to. */
const referred: Rule = ({ verb, node, namespace, resource, name }, pods) =>
  READ.includes(verb) && name !== '' && pods.refers(node, namespace, `${resource}/${name}`);

const ownPods: Rule = (question, pods) => {
  const { verb, node, namespace, name } = question;
  if (verb === 'get') return pods.has(node, namespace, name);
  if (verb === 'list' || verb === 'watch')
    return selects(question, 'spec.nodeName', node) || isOwnVmi(question, pods);
  // Which Pods, admission says: it sees them.
  return verb === 'create' || verb === 'delete';
};

const RULES: Readonly<Record<string, Rule>> = {
  '/secrets': referred,
  '/configmaps': referred,
  '/persistentvolumeclaims': (question, pods) => question.verb === 'get' && referred(question, pods),
  '/persistentvolumes': ({ verb, node, name }, pods) => verb === 'get' && pods.usesVolume(node, name),
  '/serviceaccounts/token': ({ verb, node, namespace, name }, pods) =>
    verb === 'create' && pods.refers(node, namespace, `serviceaccounts/${name}`),
  '/pods': ownPods,
  '/pods/status': verbs(...CHANGE),
  '/pods/eviction': verbs('create'),
  '/nodes': ({ verb, node, name }) =>
    verb === 'create' || (name === node && [...READ, ...CHANGE].includes(verb)),
  '/nodes/status': ({ verb, node, name }) => name === node && CHANGE.includes(verb),
  '/services': verbs(...READ),
  '/events': verbs('create', ...CHANGE),
  'events.k8s.io/events': verbs('create', ...CHANGE),
  'coordination.k8s.io/leases': ({ verb, node, namespace, name }) =>
    namespace === LEASE_NAMESPACE &&
    (verb === 'create' || (name === node && ['get', 'delete', ...CHANGE].includes(verb))),
  'authentication.k8s.io/tokenreviews': verbs('create'),
  'authorization.k8s.io/subjectaccessreviews': verbs('create'),
  'authorization.k8s.io/localsubjectaccessreviews': verbs('create'),
  'node.k8s.io/runtimeclasses': verbs(...READ),
  'k8s.cni.cncf.io/network-attachment-definitions': verbs('get'),
};

export class NodeAuthorizer {
  readonly #pods: NodePods;

  constructor(store: Store) {
    this.#pods = new NodePods(store);
  }

  /** Whether the kubelet of `node` may do it. */
  allows(node: string, access: Access): boolean {
    if (!access.isResource) return false;
    const { group, resource, subresource } = access;
    const rule = RULES[`${group}/${resource}${subresource === '' ? '' : `/${subresource}`}`];
    return rule?.({ ...access, node }, this.#pods) ?? false;
  }
}

/** Whether the request asks only for objects whose field has this value. */
function selects({ fieldSelector = '' }: Access, field: string, value: string): boolean {
  try {
    return parseFieldSelector(fieldSelector).some(
      (term) => term.field === field && term.equal && term.value === value,
    );
  } catch {
    return false; // a selector that nobody understands selects nothing
  }
}

function isOwnVmi({ node, namespace, labelSelector = '' }: Question, pods: NodePods): boolean {
  const [label, value, more] = labelSelector.split('=');
  if (label !== VMI_LABEL || value === undefined || more !== undefined || !/^[\w-]+$/.test(value))
    return false;
  return namespace !== '' && pods.hasLabelled(node, namespace, VMI_LABEL, value);
}
