/** The attachment Pod as it is created. Pure. */
import { annotations, labels, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { type AttachedClaim, renderAttachmentPod } from '@podvisor/translate';
import { nameSuffix } from '../vmi/pod-name.ts';

export interface AttachmentPodInput {
  readonly vmi: VirtualMachineInstance;
  readonly launcher: Pod;
  readonly claims: readonly AttachedClaim[];
  /** Attachment Pods that are there already. */
  readonly others: readonly Pod[];
  readonly launcherImage: string;
}

/** Named by what it is made for, so that a second attempt after a lost answer meets the first one. */
export function buildAttachmentPod({
  vmi,
  launcher,
  claims,
  others,
  launcherImage,
}: AttachmentPodInput): Pod {
  const { name = '', uid = '', namespace } = launcher.metadata;
  const parts = [
    uid,
    ...claims.map(({ volume, claimUid }) => `${volume}=${claimUid}`).toSorted(),
    ...others.map((pod) => pod.metadata.uid ?? '').toSorted(),
  ];
  const pod = renderAttachmentPod({
    name: `hp-volume-${nameSuffix(parts.join('\n'))}`,
    namespace,
    image: launcherImage,
    launcher: { name, uid },
    nodeName: launcher.spec.nodeName ?? '',
    claims,
    ...(vmi.spec.tolerations === undefined ? {} : { tolerations: vmi.spec.tolerations }),
  });
  return { ...pod, metadata: { ...pod.metadata, ...markOf(launcher, pod) } };
}

/** The Pod of a migration's target names the migration, as the target itself does. */
function markOf(launcher: Pod, { metadata }: Pod): Pick<Pod['metadata'], 'labels' | 'annotations'> {
  const uid = launcher.metadata.labels?.[labels.migrationJobUID];
  const name = launcher.metadata.annotations?.[annotations.migrationJobName];
  if (uid === undefined || name === undefined) return {};
  return {
    labels: { ...metadata.labels, [labels.migrationJobUID]: uid },
    annotations: { ...metadata.annotations, [annotations.migrationJobName]: name },
  };
}
