/** Whether a component runs as its object says, and if not, why. Pure. */
import type { KubernetesObject, Node, Pod } from '@podvisor/api';
import { memberOf } from '@podvisor/base';

interface RolloutStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
  readonly desiredNumberScheduled?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly message?: string;
  }[];
}
type Workload = KubernetesObject & {
  readonly spec?: { readonly replicas?: number };
  readonly status?: RolloutStatus;
};

/**
 * Every Pod of a Deployment or DaemonSet is of the present template, and available. A DaemonSet that has no node has
 * not rolled out, as in KubeVirt: a node that has just come, or answers late, has a taint and is not counted for a
 * moment, and an installation would be called ready in that moment without anybody who runs guests.
 */
export function isRolledOut(object: KubernetesObject): boolean {
  const { metadata, spec, status = {} } = object as Workload;
  if ((status.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return false;
  if (object.kind === 'DaemonSet') {
    const { desiredNumberScheduled: desired = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status;
    return desired > 0 && updatedNumberScheduled >= desired && numberAvailable >= desired;
  }
  const replicas = spec?.replicas ?? 1;
  const { updatedReplicas = 0, availableReplicas = 0 } = status;
  // While one of the old template is left, it may be the one that is available.
  const isOldGone = (status.replicas ?? 0) <= updatedReplicas;
  return isOldGone && updatedReplicas >= replicas && availableReplicas >= replicas;
}

const IMAGE = 'check spec.imageRegistry, spec.imageTag and spec.imagePullSecrets of the KubeVirt object';
/** Nobody but its own Deployment says which image virt-operator runs. */
const OWN_IMAGE =
  'check the image of the Deployment virt-operator (--registry and --tag of the installation)';
const RUNTIME = 'the container runtime of its node refuses it: kubectl describe the Pod';
const STUCK: Readonly<Record<string, string>> = {
  ErrImagePull: IMAGE,
  ImagePullBackOff: IMAGE,
  InvalidImageName: IMAGE,
  CrashLoopBackOff: 'look at its log',
  CreateContainerConfigError: 'a Secret or ConfigMap that it mounts is missing',
  CreateContainerError: RUNTIME,
  RunContainerError: RUNTIME,
};

function fixOf(reason: string, component: string): string | undefined {
  const fix = memberOf(STUCK, reason);
  return fix === IMAGE && component === 'virt-operator' ? OWN_IMAGE : fix;
}

/** Why the Pods of a component do not become ready, with the way out; undefined: nothing is known to be wrong. */
export function stuckPod(pods: readonly Pod[], component: string): string | undefined {
  for (const pod of pods) {
    if (pod.metadata.labels?.['kubevirt.io'] !== component) continue;
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    for (const status of [...initContainerStatuses, ...containerStatuses]) {
      const { reason = '', message = '' } = status.state?.waiting ?? {};
      const fix = fixOf(reason, component);
      if (fix !== undefined)
        return `Pod ${pod.metadata.name} (${status.image}): ${reason}${message === '' ? '' : `: ${message}`}; ${fix}`;
    }
    const unschedulable = pod.status?.conditions?.find(
      ({ type, status }) => type === 'PodScheduled' && status === 'False',
    );
    if (unschedulable !== undefined)
      return `Pod ${pod.metadata.name} cannot be scheduled: ${unschedulable.message ?? ''}; check spec.infra and spec.workloads of the KubeVirt object`;
  }
  return undefined;
}

/** Why a Deployment has no Pod at all; undefined: it has, or nothing is known to be wrong. */
export function withoutPods(object: KubernetesObject | undefined, pods: readonly Pod[]): string | undefined {
  const { kind, metadata, status = {} } = (object ?? {}) as Workload;
  if (kind !== 'Deployment' || pods.some((pod) => pod.metadata.labels?.['kubevirt.io'] === metadata?.name))
    return undefined;
  const refused = status.conditions?.find(
    ({ type, status: is }) => type === 'ReplicaFailure' && is === 'True',
  );
  if (refused !== undefined)
    return `its Pods are refused: ${refused.message ?? ''}; check quotas, Pod security and webhooks of namespace ${metadata?.namespace}`;
  if (status.observedGeneration !== undefined) return undefined;
  return 'nobody makes its Pods: kube-controller-manager has not looked at the Deployment; check that it runs';
}

/** Nodes that a message names. */
const NAMED = 3;

/** Why no node may run a DaemonSet's Pod; undefined: one may, or the DaemonSet was not looked at yet. */
export function withoutNode(
  object: KubernetesObject | undefined,
  nodes: readonly Node[],
): string | undefined {
  const { kind, metadata, status = {} } = (object ?? {}) as Workload;
  const isLookedAt = (status.observedGeneration ?? 0) >= (metadata?.generation ?? 1);
  if (kind !== 'DaemonSet' || !isLookedAt || (status.desiredNumberScheduled ?? 0) > 0) return undefined;
  const found = nodes.slice(0, NAMED).map((node) => {
    const taints = (node.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
    return `${node.metadata.name} (${taints.length === 0 ? 'no taint' : taints.join(', ')})`;
  });
  const seen = nodes.length > NAMED ? [...found, `${nodes.length - NAMED} more`] : found;
  return `no node may run ${metadata?.name}: ${seen.join(', ') || 'there is none'}; check taints and labels of nodes, and spec.workloads of the KubeVirt object`;
}
