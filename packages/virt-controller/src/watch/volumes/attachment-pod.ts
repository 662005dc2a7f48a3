/** The attachment Pod as it is created. Pure. */
import {
  annotations,
  labels,
  type Pod,
  type SELinuxOptions,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { type AttachedClaim, renderAttachmentPod, seLinuxLevelOf } from '@podvisor/translate';
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
    seLinuxOptions: seLinuxOptions(vmi, launcher),
    ...(vmi.spec.tolerations === undefined ? {} : { tolerations: vmi.spec.tolerations }),
  });
  return { ...pod, metadata: { ...pod.metadata, ...markOf(launcher, pod) } };
}

/**
 * A container runtime labels a claim for the Pod that has it, and that is the attachment Pod: it has the level of the
 * guest, else its QEMU could not open the disk. As KubeVirt has it, it is none's in particular (`s0`) where nobody
 * knows of one.
 */
function seLinuxOptions({ status }: VirtualMachineInstance, launcher: Pod): SELinuxOptions {
  const { type } = launcher.spec.securityContext?.seLinuxOptions ?? {};
  const level = seLinuxLevelOf(status?.selinuxContext) ?? 's0';
  return { ...(type ? { type } : {}), level };
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
