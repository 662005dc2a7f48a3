/** What a launcher Pod says about itself. Pure. */
import { type Condition, type ContainerStatus, type Pod, isPodEnded } from '@podvisor/api';

export function podCondition(pod: Pod, type: string): Condition | undefined {
  return pod.status?.conditions?.find((c) => c.type === type);
}

/** Its containers have ended for good, or the launcher has: those beside it only serve it. */
export function isPodFinal(pod: Pod): boolean {
  if (isPodEnded(pod)) return true;
  const { status } = pod;
  const launcher = status?.containerStatuses?.find(({ name }) => name === 'compute');
  return launcher?.state?.terminated !== undefined;
}

export function isPodDeleting(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/**
 * Nothing of the Pod is left but its object, which somebody's finalizer keeps: it ended, or never was on a node, and
 * its deletion waits for nobody of ours. Such a Pod must not hold up whoever owns it.
 */
export function isPodHeldByStrangers(pod: Pod): boolean {
  const hasEnded = isPodFinal(pod) || pod.spec.nodeName === undefined;
  return isPodDeleting(pod) && hasEnded && (pod.metadata.finalizers ?? []).length > 0;
}

/** Containers that need only run: waiting for their readiness would wait for the guest itself. */
const RUNNING_IS_ENOUGH: ReadonlySet<string> = new Set(['compute', 'istio-proxy']);

/** The launcher can take over: the Pod runs and every helper container is ready. */
export function isPodReadyForHandOver(pod: Pod): boolean {
  const statuses = pod.status?.containerStatuses ?? [];
  if (pod.status?.phase !== 'Running' || isPodDeleting(pod) || statuses.length === 0) return false;
  return statuses.every((status) =>
    RUNNING_IS_ENOUGH.has(status.name) ? status.state?.running !== undefined : status.ready,
  );
}

const IMAGE_TROUBLE: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

/** The first container that waits for an image which does not come. */
export function imagePullTrouble(
  pod: Pod,
): { readonly reason: string; readonly message: string } | undefined {
  const all: readonly ContainerStatus[] = [
    ...(pod.status?.initContainerStatuses ?? []),
    ...(pod.status?.containerStatuses ?? []),
  ];
  for (const { state } of all) {
    const reason = state?.waiting?.reason;
    if (reason !== undefined && IMAGE_TROUBLE.has(reason))
      return { reason, message: state?.waiting?.message ?? '' };
  }
  return undefined;
}
