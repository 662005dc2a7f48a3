/** Eviction of Pods of ours (`kubectl drain`): the rule of @podvisor/api, and the mark that it asks for. */
import {
  controllerOf,
  decideEviction,
  isPodEnded,
  type KubernetesObject,
  labels,
  type Pod,
  refusal,
  type VirtualMachineInstance,
} from '@podvisor/api';
import type { Webhook, WebhookContext } from './context.ts';

/** What the descheduler puts on its requests. */
const REQUESTED_BY = 'requested-by';
const DESCHEDULER = 'sigs.k8s.io/descheduler';
/** Whoever drains a node asks again. */
const TOO_MANY_REQUESTS = 429;

/** The VMI of a Pod, or the sentence that says why it could not be read. */
interface PodOwner {
  readonly vmi?: VirtualMachineInstance;
  readonly readProblem?: string;
}

type Reads = Pick<WebhookContext, 'findPod' | 'findVmi'>;

/** Two steps at most: a hotplug Pod belongs to a launcher Pod, which belongs to a VMI. */
export async function ownerOf(pod: Pod | undefined, reads: Reads): Promise<PodOwner> {
  return pod?.metadata.labels?.[labels.app] === 'hotplug-disk'
    ? hotplugOwner(pod, reads)
    : launcherOwner(pod, reads);
}

/** A volume that no guest uses any more may go: owners that are gone are no problem. */
async function hotplugOwner(pod: Pod, reads: Reads): Promise<PodOwner> {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'Pod') return {};
  const launcher = await attempt('failed getting owner for hotplug pod', () =>
    reads.findPod(pod.metadata.namespace ?? '', owner.name),
  );
  if (typeof launcher === 'string') return { readProblem: launcher };
  const isLauncher = launcher?.metadata.labels?.[labels.app] === 'virt-launcher';
  if (launcher?.metadata.uid !== owner.uid || !isLauncher || isPodEnded(launcher)) return {};
  const { isMissing, ...found } = await launcherOwner(launcher, reads);
  return isMissing ? {} : found;
}

/** A launcher whose VMI is gone is about to go itself: until then it is left alone. */
async function launcherOwner(
  pod: Pod | undefined,
  reads: Reads,
): Promise<PodOwner & { readonly isMissing?: boolean }> {
  const owner = pod === undefined ? undefined : controllerOf(pod);
  // Its group is not asked for: in doubt a Pod stays.
  if (owner?.kind !== 'VirtualMachineInstance') return {};
  const vmi = await attempt('kubevirt failed getting the vmi', () =>
    reads.findVmi(pod?.metadata.namespace ?? '', owner.name),
  );
  if (typeof vmi === 'string') return { readProblem: vmi };
  if (vmi === undefined) {
    const readProblem = `kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io ${JSON.stringify(owner.name)} not found`;
    return { readProblem, isMissing: true };
  }
  // Another VMI under the same name has nothing to do with this Pod.
  return vmi.metadata?.uid === owner.uid ? { vmi } : {};
}

/** What was read, or why it could not be. */
async function attempt<T>(what: string, read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    return `${what}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The body of an eviction, as far as we look at it. */
interface Eviction extends KubernetesObject {
  readonly deleteOptions?: { readonly dryRun?: readonly string[] };
}

export const validateEviction: Webhook = async (request, context) => {
  const pod = await context.findPod(request.namespace, request.name);
  const { readProblem, vmi } = await ownerOf(pod, context);
  const { admission, evacuateFrom } = decideEviction({
    config: context.config,
    pod,
    vmi,
    ...(readProblem !== undefined && { readProblem }),
  });
  if (evacuateFrom !== undefined && vmi !== undefined) {
    const eviction = request.object as Eviction | undefined;
    const byDescheduler = eviction?.metadata?.annotations?.[REQUESTED_BY] === DESCHEDULER;
    const failure = await attempt('kubevirt failed marking the vmi for eviction', () =>
      context.markForEvacuation(vmi, {
        nodeName: evacuateFrom,
        source: byDescheduler ? 'descheduler' : undefined,
        dryRun: request.dryRun || eviction?.deleteOptions?.dryRun?.[0] === 'All',
      }),
    );
    if (failure !== undefined) return { kind: 'validated', ...refusal(failure, TOO_MANY_REQUESTS) };
  }
  return { kind: 'validated', ...admission };
};
