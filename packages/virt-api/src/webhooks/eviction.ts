/** Eviction of Pods of ours (`kubectl drain`): the rule of @podvisor/api, and the mark that it asks for. */
import { decideEviction, labels, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import type { Webhook, WebhookContext } from './context.ts';

const NO_MIGRATION = 'Live migration is not available yet in this version: stop the VM to drain its node.';

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
    await context.markForEvacuation(vmi, evacuateFrom, request.dryRun);
  }
  const warnings = admission.allowed ? admission.warnings : [...admission.warnings, NO_MIGRATION];
  return { kind: 'validated', ...admission, warnings };
};
