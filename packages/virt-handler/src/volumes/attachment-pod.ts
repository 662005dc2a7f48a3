/**
 * The Pod that holds plugged claims, as the API server knows it. The status of the VMI names it by its UID; that
 * alone would be a key to any Pod of the node, so what it names is looked at: an attachment Pod of the VMI's own
 * namespace, on this node, managed by the very launcher Pod that gets the claims (CVE-2024-1725).
 */
import { isControlledBy, labels, ownerKinds, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import type { Uid } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';

export interface AttachmentPods {
  readonly client: Pick<KubeClient, 'list'>;
  readonly nodeName: string;
}

/** UIDs of the Pods whose claims may be plugged into the launcher Pod `launcherUid` of the VMI. */
export async function attachmentPodsOf(
  vmi: VirtualMachineInstance,
  launcher: { readonly name: string; readonly uid: Uid },
  { client, nodeName }: AttachmentPods,
): Promise<ReadonlySet<string>> {
  const { namespace } = vmi.metadata ?? {};
  const { items } = await client.list(resources.pods, {
    namespace,
    labelSelector: `${labels.app}=hotplug-disk`,
    fieldSelector: `spec.nodeName=${nodeName}`,
  });
  const owner = { metadata: { ...launcher, namespace } };
  const own = items.filter(
    (pod) => isAttachment(pod, nodeName) && isControlledBy(pod, owner, ownerKinds.pod),
  );
  return new Set(own.map(({ metadata }) => metadata.uid ?? ''));
}

function isAttachment({ metadata, spec }: Pod, nodeName: string): boolean {
  return metadata.labels?.[labels.app] === 'hotplug-disk' && spec.nodeName === nodeName;
}
