/** Eviction of Pods of ours (`kubectl drain`): the rule of @podvisor/api, and the mark that it asks for. */
import {
  decideEviction,
  type KubernetesObject,
  labels,
  type Pod,
  type VirtualMachineInstance,
} from '@podvisor/api';
import type { Webhook, WebhookContext } from './context.ts';

/** What the descheduler puts on its requests. */
const REQUESTED_BY = 'requested-by';
const DESCHEDULER = 'sigs.k8s.io/descheduler';

/** Two steps at most: a hotplug Pod belongs to a launcher Pod, which belongs to a VMI. */
export async function vmiOf(
  pod: Pod | undefined,
  context: Pick<WebhookContext, 'findPod' | 'findVmi'>,
): Promise<VirtualMachineInstance | undefined> {
  const { namespace = '' } = pod?.metadata ?? {};
  const owner = pod?.metadata.ownerReferences?.find((ref) => ref.controller === true);
  if (owner?.kind === 'Pod' && pod?.metadata.labels?.[labels.app] === 'hotplug-disk') {
    const launcher = await context.findPod(namespace, owner.name);
    return launcher?.metadata.uid === owner.uid && launcher.metadata.labels?.[labels.app] !== 'hotplug-disk'
      ? vmiOf(launcher, context)
      : undefined;
  }
  if (owner?.kind !== 'VirtualMachineInstance') return undefined;
  const vmi = await context.findVmi(namespace, owner.name);
  // Another VMI under the same name has nothing to do with this Pod.
  return vmi?.metadata?.uid === owner.uid ? vmi : undefined;
}

export const validateEviction: Webhook = async (request, context) => {
  const pod = await context.findPod(request.namespace, request.name);
  const vmi = await vmiOf(pod, context);
  const { admission, evacuateFrom } = decideEviction({ config: context.config, pod, vmi });
  if (evacuateFrom !== undefined && vmi !== undefined) {
    const eviction = request.object as KubernetesObject | undefined;
    const byDescheduler = eviction?.metadata?.annotations?.[REQUESTED_BY] === DESCHEDULER;
    await context.markForEvacuation(vmi, {
      nodeName: evacuateFrom,
      source: byDescheduler ? 'descheduler' : undefined,
      dryRun: request.dryRun,
    });
  }
  return { kind: 'validated', ...admission };
};
