/**
 * Which launcher Pods of a VMI this controller has made. A Pod says so itself, in its labels and its owner, and
 * admission lets nobody else say it. This is the second check, for a cluster whose webhooks were taken away: the
 * controller makes one Pod for a VMI and one for each of its migrations, under names that follow from their UIDs, and
 * writes down which Pods live (`status.activePods`). A Pod that is in neither record is not ours. Pure.
 */
import {
  isLauncherOf,
  labels,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { launcherPodName } from './pod-name.ts';
import { isPodFinal } from './pod-state.ts';
import { provisioningPodName } from './provisioning-pod.ts';

/** `migrations`: those of this VMI. */
export function isOwnPod(
  pod: Pod,
  vmi: VirtualMachineInstance,
  migrations: readonly VirtualMachineInstanceMigration[],
): boolean {
  if (!isLauncherOf(pod, vmi)) return false;
  const { uid = '', name: vmiName = '' } = vmi.metadata ?? {};
  if (Object.hasOwn(vmi.status?.activePods ?? {}, pod.metadata.uid ?? '')) return true;
  const { name } = pod.metadata;
  const job = pod.metadata.labels?.[labels.migrationJobUID];
  const first = launcherPodName(vmiName, job ?? uid);
  if (job === undefined) return name === first || name === provisioningPodName(first);
  // A Pod that has ended may outlive its migration; it can do no harm any more, and is cleaned up.
  return name === first && (isPodFinal(pod) || migrations.some(({ metadata }) => metadata?.uid === job));
}
