/**
 * What a kubelet writes is about its own node: Kubernetes' NodeRestriction. Authorization has said which
 * kinds; this looks at the objects. A Pod that a node makes itself is a mirror of a file on it and may name
 * nothing of the cluster; taints are others' to set, and so are labels that say what may run on the node.
 */
import { saidOwners, saySameOwners } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { MIRROR_ANNOTATION } from '@podvisor/kube';
import type { Store } from '../object-store.ts';
import { keyOf } from '@podvisor/store';
import { kubeletNode } from '../authn/node-identity.ts';
import { podReferences } from '../authz/pod-references.ts';
import type { UserInfo } from '../core.ts';
import { arrayAt, at, type JsonObject, type KubeObject, stringAt } from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';

/** Labels below kubernetes.io that a node may give itself. */
const OWN_LABELS = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]);

export function nodeRestriction(store: Store): Plugin {
  return {
    validate: (attributes) => {
      const node = kubeletNode(attributes.user);
      if (node === undefined) return;
      const problem = nodeProblem(node, attributes, store);
      if (problem !== undefined) throw forbiddenObject(attributes.definition, attributes.name, problem);
    },
  };
}

/** Tokens that a node asks for are those of its Pods, and end with them. Undefined for everybody else. */
export function nodeTokenProblem(
  user: UserInfo,
  request: JsonObject,
  pod: KubeObject | undefined,
): string | undefined {
  const node = kubeletNode(user);
  if (node === undefined) return undefined;
  if (stringAt(request, 'spec', 'boundObjectRef', 'kind') !== 'Pod')
    return `node "${node}" requested a token that is not bound to a pod`;
  if (stringAt(request, 'spec', 'boundObjectRef', 'uid') === '')
    return `node "${node}" requested a token with a pod binding without a uid`;
  return stringAt(pod, 'spec', 'nodeName') === node
    ? undefined
    : `node "${node}" requested a token bound to a pod scheduled on a different node`;
}

function nodeProblem(node: string, attributes: Attributes, store: Store): string | undefined {
  const { definition, subresource, operation, object, oldObject, name, namespace } = attributes;
  switch (`${definition.group}/${definition.plural}${subresource === '' ? '' : `/${subresource}`}`) {
    case '/pods':
      if (operation === 'CREATE') return mirrorProblem(node, object);
      return operation === 'DELETE' ? ownPodProblem(node, oldObject) : `node "${node}" may not change pods`;
    case '/pods/status':
      return ownPodProblem(node, oldObject) ?? statusProblem(node, object, oldObject);
    case '/pods/eviction':
      return ownPodProblem(node, store.latest(keyOf('', 'pods', namespace, name))?.object);
    case '/nodes':
    case '/nodes/status':
      if (name !== node) return `node "${node}" is not allowed to modify node "${name}"`;
      return ownNodeProblem(node, object, oldObject);
    case 'coordination.k8s.io/leases':
      return namespace === 'kube-node-lease' && name === node
        ? undefined
        : `node "${node}" may only access its own lease in the namespace "kube-node-lease"`;
    default:
      return undefined;
  }
}

function ownPodProblem(node: string, pod: KubeObject | undefined): string | undefined {
  return stringAt(pod, 'spec', 'nodeName') === node
    ? undefined
    : `node "${node}" can only change pods with spec.nodeName set to itself`;
}

function statusProblem(
  node: string,
  pod: KubeObject | undefined,
  old: KubeObject | undefined,
): string | undefined {
  return deepEqual(pod?.metadata.labels ?? {}, old?.metadata.labels ?? {})
    ? undefined
    : `node "${node}" cannot update labels through pod status`;
}

function mirrorProblem(node: string, pod: KubeObject | undefined): string | undefined {
  if (pod === undefined || pod.metadata.annotations?.[MIRROR_ANNOTATION] === undefined)
    return `pod does not have "${MIRROR_ANNOTATION}" annotation, node "${node}" can only create mirror pods`;
  if (stringAt(pod, 'spec', 'nodeName') !== node)
    return `node "${node}" can only create pods with spec.nodeName set to itself`;
  const owners = saidOwners(pod);
  if (owners.length > 1 || owners.some(({ kind, name }) => kind !== 'Node' || name !== node))
    return `node "${node}" can only create pods with an owner reference set to itself`;
  const named = [...podReferences(pod)].find((reference) => reference !== 'serviceaccounts/default');
  return named === undefined
    ? undefined
    : `node "${node}" can not create pods that reference ${named.replace('/', ' ')}`;
}

function ownNodeProblem(
  node: string,
  object: KubeObject | undefined,
  old: KubeObject | undefined,
): string | undefined {
  const labels = object?.metadata.labels ?? {};
  const before = old?.metadata.labels ?? {};
  const changed = [...new Set([...Object.keys(labels), ...Object.keys(before)])].filter(
    (label) => labels[label] !== before[label],
  );
  const foreign = changed.filter((label) => !isOwnLabel(label));
  if (foreign.length > 0)
    return `node "${node}" is not allowed to modify labels: ${foreign.sort().join(', ')}`;
  if (old === undefined) return undefined;
  if (!deepEqual(arrayAt(object, 'spec', 'taints'), arrayAt(old, 'spec', 'taints')))
    return `node "${node}" is not allowed to modify taints`;
  if (!saySameOwners(object, old)) return `node "${node}" is not allowed to modify ownerReferences`;
  if (at(object, 'spec', 'configSource') !== undefined)
    return `node "${node}" is not allowed to set spec.configSource`;
  return undefined;
}

function isOwnLabel(label: string): boolean {
  const prefix = label.includes('/') ? label.slice(0, label.indexOf('/')) : '';
  const isBelow = (domain: string): boolean => prefix === domain || prefix.endsWith(`.${domain}`);
  if (isBelow('node-restriction.kubernetes.io')) return false;
  if (isBelow('kubelet.kubernetes.io') || isBelow('node.kubernetes.io')) return true;
  return OWN_LABELS.has(label) || !(isBelow('kubernetes.io') || isBelow('k8s.io'));
}
