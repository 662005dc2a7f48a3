import type { VirtualMachineInstance } from '@podvisor/api';
import type { Journal } from '../ghost-records/journal.ts';
import type { NodeCaches } from './node-caches.ts';
import { podEnd } from './situation.ts';

/**
 * The launcher Pod of the VMI on this node. Only virt-controller's word counts: labels and owner references
 * of a Pod are whatever its creator wrote.
 */
export function launcherPodUid(
  vmi: VirtualMachineInstance,
  { caches, journal, nodeName }: { caches: NodeCaches; journal: Journal; nodeName: string },
): string | undefined {
  const taken = new Set(journal.list().flatMap((r) => (r.uid === vmi.metadata?.uid ? [] : [r.podUid])));
  const here = Object.entries(vmi.status?.activePods ?? {}).filter(
    ([podUid, node]) => node === nodeName && !taken.has(podUid),
  );
  const pods = here.map(([uid]) => ({ uid, pod: caches.podByUid(uid) }));
  return (pods.find(({ pod }) => pod !== undefined && podEnd(pod) === undefined) ?? pods[0])?.uid;
}
