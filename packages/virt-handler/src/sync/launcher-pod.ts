/**
 * The launcher Pods of a VMI on this node. virt-controller's word counts (`status.activePods`), and the Pod must say
 * the same of itself: labels and owner references alone are whatever its creator wrote.
 */
import { isLauncherOf, type VirtualMachineInstance } from '@podvisor/api';
import { isUid, type Uid } from '@podvisor/base';
import type { Journal } from '../ghost-records/journal.ts';
import type { NodeCaches } from './node-caches.ts';
import { podEnd } from './situation.ts';

interface NodeView {
  readonly caches: Pick<NodeCaches, 'podByUid'>;
  readonly journal: Journal;
  readonly nodeName: string;
}

/** The Pod that runs, or ran, the guest. One that the cache does not show yet may be it: its UID was written down. */
export function launcherPodUid(vmi: VirtualMachineInstance, view: NodeView): Uid | undefined {
  const { caches, journal, nodeName } = view;
  const pods = Object.entries(vmi.status?.activePods ?? {}).flatMap(([uid, node]) => {
    if (node !== nodeName || !isUid(uid) || journal.isOfAnother(uid, vmi.metadata?.uid)) return [];
    const pod = caches.podByUid(uid);
    return pod === undefined || isLauncherOf(pod, vmi) ? [{ uid, pod }] : [];
  });
  return (pods.find(({ pod }) => pod !== undefined && podEnd(pod) === undefined) ?? pods[0])?.uid;
}

/** The launcher in this Pod is one of the VMI's. */
export function speaksFor(podUid: Uid, vmi: VirtualMachineInstance, { caches, nodeName }: NodeView): boolean {
  const pod = caches.podByUid(podUid);
  const isNamed = vmi.status?.activePods?.[podUid] === nodeName;
  return isNamed && pod !== undefined && isLauncherOf(pod, vmi);
}
