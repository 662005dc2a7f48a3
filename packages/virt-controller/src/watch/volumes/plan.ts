/**
 * Attachment Pods of a running VMI and the `volumeStatus` that goes with them. Pure. One Pod holds all plugged
 * claims; a change of the set makes a new Pod, and the old one goes when the new one holds everything that the
 * guest uses. A claim never leaves the node before virt-handler says that the guest has let go of it.
 */
import {
  claimName,
  isHotpluggable,
  type Pod,
  type VirtualMachineInstance,
  type VolumeStatus,
  volumesOfPod,
} from '@podvisor/api';
import type { AttachedClaim } from '@podvisor/translate';
import { isPodDeleting, isPodFinal, podCondition } from '../vmi/pod-state.ts';
import { claimInfo, type VolumeView } from '../vmi/volumes.ts';
import {
  attachmentGroups,
  claimAtSource,
  heldClaims,
  holdsExactly,
  type WantedVolume,
  wantedVolumes,
} from './wanted.ts';

export interface VolumesObservation {
  readonly vmi: VirtualMachineInstance;
  /** Attachment Pods that the launcher Pod owns. */
  readonly attachmentPods: readonly Pod[];
  readonly volumes: VolumeView;
  readonly nowMs: number;
}

export interface VolumesPlan {
  /** Sets of claims for which there is no Pod yet. */
  readonly create: readonly (readonly AttachedClaim[])[];
  readonly delete: readonly Pod[];
  readonly statuses: readonly VolumeStatus[];
  readonly requeueAfterMs?: number;
}

/** A Pod that failed at once would fail again at once. */
const RETRY_AFTER_MS = 10_000;
/** The guest has not been given the volume yet. */
const BEFORE_NODE: ReadonlySet<string> = new Set(['', 'Pending', 'Bound', 'UnMountedFromPod']);

export function planVolumes(observed: VolumesObservation): VolumesPlan {
  const { vmi, attachmentPods, volumes, nowMs } = observed;
  const wanted = wantedVolumes(vmi, volumes);
  const groups = attachmentGroups(wanted);
  const live = attachmentPods.filter((pod) => !isPodDeleting(pod) && !isPodFinal(pod));
  const current = groups.map((group) => live.find((pod) => holdsExactly(pod, group)));
  const dead = attachmentPods.filter((pod) => !isPodDeleting(pod) && isPodFinal(pod));
  const retries = groups.map((group) =>
    Math.max(0, ...dead.filter((pod) => holdsExactly(pod, group)).map((pod) => retryInMs(pod, nowMs))),
  );
  const wait = Math.max(0, ...retries);
  const candidates = [...current.filter((pod) => pod !== undefined), ...live];
  const statuses = volumeStatuses(observed, wanted, { candidates, dead });
  return {
    create: groups.filter((_, index) => current[index] === undefined && retries[index] === 0),
    delete: [
      ...live.filter((pod) => !current.includes(pod) && isSpare(pod, statuses, current)),
      ...dead.filter((pod) => retryInMs(pod, nowMs) === 0),
    ],
    statuses,
    ...(wait > 0 ? { requeueAfterMs: wait } : {}),
  };
}

/** Milliseconds until a Pod that failed may be made again. */
export function retryInMs({ metadata }: Pod, nowMs: number): number {
  const created = Date.parse(metadata.creationTimestamp ?? '') || 0;
  return Math.max(0, created + RETRY_AFTER_MS - nowMs);
}

/** Nothing that the guest uses hangs on this Pod alone. */
function isSpare(
  pod: Pod,
  statuses: readonly VolumeStatus[],
  current: readonly (Pod | undefined)[],
): boolean {
  return [...heldClaims(pod)].every(([volume, claim]) => {
    const status = statuses.find(({ name }) => name === volume);
    if (status === undefined || BEFORE_NODE.has(status.phase ?? '')) return true;
    return current.some((other) => other !== undefined && holds(other, volume, claim));
  });
}

function holds(pod: Pod, volume: string, claim: string): boolean {
  return pod.status?.phase === 'Running' && heldClaims(pod).get(volume) === claim;
}

interface Holders {
  /** Pods that may hold claims, those that are to stay first. */
  readonly candidates: readonly Pod[];
  /** Pods that have ended. */
  readonly dead: readonly Pod[];
}

function volumeStatuses(
  { vmi, attachmentPods, volumes }: VolumesObservation,
  wanted: readonly WantedVolume[],
  holders: Holders,
): readonly VolumeStatus[] {
  const known = vmi.status?.volumeStatus ?? [];
  const spec = new Map(volumesOfPod(vmi.spec).map((volume) => [volume.name, volume]));
  const fresh = [...spec.values()]
    .filter((volume) => isHotpluggable(volume) && !known.some(({ name }) => name === volume.name))
    .map((volume): VolumeStatus => ({ name: volume.name, target: '', hotplugVolume: {} }));
  return [...known, ...fresh]
    .flatMap((status): VolumeStatus[] => {
      const volume = spec.get(status.name);
      if (volume === undefined) return leaving(status, attachmentPods);
      const isPlugged = isHotpluggable(volume);
      const claim = volumes.claim((isPlugged ? claimAtSource(vmi, volume) : claimName(volume)) ?? '');
      const info =
        claim === undefined ? status : { ...status, persistentVolumeClaimInfo: claimInfo(claim, volumes) };
      if (!isPlugged) return [info];
      const desired = wanted.find((w) => (w.kind === 'claim' ? w.claim.volume : w.volume) === status.name);
      return [desired === undefined ? info : pluggedStatus(info, desired, holders)];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Gone when nothing of it is left: the guest let go, and no Pod holds it. */
function leaving(status: VolumeStatus, pods: readonly Pod[]): VolumeStatus[] {
  if (status.hotplugVolume === undefined) return [status];
  if (status.phase !== 'UnMountedFromPod')
    return [status.phase === 'Detaching' ? status : { ...untroubled(status), phase: 'Detaching' }];
  return pods.some((pod) => heldClaims(pod).has(status.name)) ? [status] : [];
}

function pluggedStatus(
  status: VolumeStatus,
  desired: WantedVolume,
  { candidates, dead }: Holders,
): VolumeStatus {
  const isBefore = BEFORE_NODE.has(status.phase ?? '');
  if (desired.kind === 'waits') {
    if (!isBefore) return status;
    return { ...status, phase: 'Pending', reason: 'PVCNotReady', message: desired.message };
  }
  const { volume, claimName: name } = desired.claim;
  const holder = candidates.find((pod) => holds(pod, volume, name));
  if (holder !== undefined) {
    const hotplugVolume = { attachPodName: holder.metadata.name, attachPodUID: holder.metadata.uid };
    return isBefore
      ? { ...untroubled(status), hotplugVolume, phase: 'AttachedToNode' }
      : { ...status, hotplugVolume };
  }
  if (!isBefore) return status;
  const isFor = (pod: Pod): boolean => heldClaims(pod).get(volume) === name;
  return {
    ...untroubled(status),
    hotplugVolume: {},
    phase: desired.isBound ? 'Bound' : 'Pending',
    ...(unplaced(candidates.find(isFor)) ?? lastWords(dead.filter(isFor)) ?? unanswered(status)),
  };
}

type Trouble = Pick<VolumeStatus, 'reason' | 'message'>;

function unplaced(waiting: Pod | undefined): Trouble | undefined {
  const found = waiting === undefined ? undefined : podCondition(waiting, 'PodScheduled');
  return found?.status === 'False' && found.message !== undefined
    ? { reason: found.reason ?? 'Unschedulable', message: found.message }
    : undefined;
}

/** Reason of the trouble of a volume whose attachment Pod failed; the message is what it said. */
const ATTACHMENT_FAILED = 'AttachmentPodFailed';
/** Of what a program may say, and a status shall hold. */
const MAX_WORDS = 1_000;

/** Without the Pod's name: each try has another, and a status that says the same is not written again. */
function lastWords([dead]: readonly Pod[]): Trouble | undefined {
  if (dead === undefined) return undefined;
  const ended = dead.status?.containerStatuses?.[0]?.state?.terminated;
  const said = (ended?.message ?? dead.status?.message ?? '').trim().slice(0, MAX_WORDS);
  const words = said === '' ? `it ended with ${ended?.exitCode ?? 'no word'}` : said;
  return { reason: ATTACHMENT_FAILED, message: `The attachment Pod could not hold the volume: ${words}` };
}

/** Troubles of attachment Pods that the status does not tell yet. */
export function newTroubles(
  statuses: readonly VolumeStatus[],
  before: readonly VolumeStatus[],
): readonly string[] {
  return statuses.flatMap(({ name, reason, message }) => {
    if (reason !== ATTACHMENT_FAILED || message === undefined) return [];
    return before.some((old) => old.name === name && old.message === message) ? [] : [`${name}: ${message}`];
  });
}

/** Until the next Pod holds the volume, what the last one said is the best that is known. */
function unanswered({ reason, message }: VolumeStatus): Trouble {
  return reason === ATTACHMENT_FAILED ? { reason, message } : {};
}

function untroubled({ reason: _reason, message: _message, ...status }: VolumeStatus): VolumeStatus {
  return status;
}
