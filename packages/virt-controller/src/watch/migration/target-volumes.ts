/**
 * Claims that were plugged into the running guest have to be on the target's node before the guest comes: an
 * attachment Pod of the target's own brings them there. Pure. The set is that of the running guest, so the hand-off
 * waits while a claim is on its way out of the guest.
 */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import type { AttachedClaim } from '@podvisor/translate';
import { isPodDeleting, isPodFinal, podCondition } from '../vmi/pod-state.ts';
import type { VolumeView } from '../vmi/volumes.ts';
import { retryInMs } from '../volumes/plan.ts';
import { holdsExactly, wantedVolumes } from '../volumes/wanted.ts';

export type TargetVolumes =
  /** `podUid` undefined: nothing is plugged. */
  | { readonly kind: 'ready'; readonly podUid: string | undefined }
  | { readonly kind: 'create'; readonly claims: readonly AttachedClaim[] }
  | { readonly kind: 'wait'; readonly why: string; readonly requeueAfterMs?: number };

/** `attachments`: attachment Pods that the target Pod owns. */
export function targetVolumes(
  vmi: VirtualMachineInstance,
  attachments: readonly Pod[],
  view: VolumeView,
  nowMs: number,
): TargetVolumes {
  const statuses = (vmi.status?.volumeStatus ?? []).filter(
    ({ hotplugVolume }) => hotplugVolume !== undefined,
  );
  const leaving = statuses.find(({ phase }) => phase === 'Detaching');
  if (leaving !== undefined) return { kind: 'wait', why: `volume ${leaving.name} is being unplugged` };
  const claims = wantedVolumes(vmi, view, 'target').flatMap((w) =>
    w.kind === 'claim' && w.isBound ? [w.claim] : [],
  );
  const isMissing = (name: string): boolean => !claims.some(({ volume }) => volume === name);
  const lost = statuses.find(({ name, phase }) => phase === 'Ready' && isMissing(name));
  if (lost !== undefined)
    return { kind: 'wait', why: `the claim of plugged volume ${lost.name} is not bound` };
  if (claims.length === 0) return { kind: 'ready', podUid: undefined };
  const candidates = attachments.filter((pod) => !isPodDeleting(pod) && holdsExactly(pod, claims));
  const pod = candidates.find((candidate) => !isPodFinal(candidate));
  if (pod?.status?.phase === 'Running') return { kind: 'ready', podUid: pod.metadata.uid };
  if (pod !== undefined) return { kind: 'wait', why: starting(pod) };
  const retryMs = Math.max(0, ...candidates.map((dead) => retryInMs(dead, nowMs)));
  if (retryMs > 0)
    return { kind: 'wait', why: 'the attachment Pod of the target failed', requeueAfterMs: retryMs };
  return { kind: 'create', claims };
}

function starting(pod: Pod): string {
  const message = podCondition(pod, 'PodScheduled')?.message ?? '';
  const detail = message === '' ? '' : `: ${message}`;
  return `attachment Pod ${pod.metadata.name} of the target does not run yet${detail}`;
}
