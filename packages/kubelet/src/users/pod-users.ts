/**
 * Gives a Pod its range of ids, before its network is made: a user namespace owns the network of its Pod. All
 * containers of the Pod have the same.
 */
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { Pod } from '@podvisor/api';
import { canBeMapped, listMounts, OwnedFd, releaseUserNamespace } from '@podvisor/sys';
import { type KubeletContext, podContainersDirectory, podUserNamespace } from '../context.ts';
import { AdmissionError } from '../device-manager/types.ts';
import { bootId, type PodRecord, readContainers, readPodRecord, writePodRecord } from '../pod/records.ts';
import { uidOf } from '../pod/types.ts';
import type { MountedVolume } from '../volumes/types.ts';
import { userNamespaceFault } from './probe.ts';
import { claimRange, isClaimed, releaseRange } from './ranges.ts';
import { isReadOnlyOverlay } from './stage.ts';
import { userNamespaceNeed } from './wanted.ts';

type Range = Pick<PodRecord, 'userRange' | 'userFault'>;

/**
 * The range that the Pod has by `known`, or a new one. Called while nothing of the Pod runs: its containers are then
 * all with or all without. Throws AdmissionError when the Pod demands a user namespace and the machine cannot have one.
 */
export async function claimUsers(
  context: KubeletContext,
  pod: Pod,
  known: PodRecord | undefined,
): Promise<Range> {
  const uid = uidOf(pod);
  const isKept = known?.bootId === bootId && known.tornDown !== true;
  const holder = recordPath(context, uid);
  if (isKept && known.userRange !== undefined && isClaimed(known.userRange, holder))
    return { userRange: known.userRange };
  if (isKept && known.userFault !== undefined) return { userFault: known.userFault };
  if (userNamespaceNeed(pod) === 'none') return {};
  const userRange = claimRange(holder);
  const userFault = await userNamespaceFault(context.containersDir, userRange);
  if (userFault === undefined) return { userRange };
  releaseRange(userRange, holder);
  return refused(context, pod, userFault);
}

/** What a user namespace cannot show is found when the volumes are there: the Pod goes without, or not at all. */
export function checkVolumes(
  context: KubeletContext,
  pod: Pod,
  volumes: ReadonlyMap<string, MountedVolume>,
): void {
  const uid = uidOf(pod);
  const record = readPodRecord(context, uid);
  if (record?.userRange === undefined || readContainers(context, uid).size > 0) return;
  const fault = volumeFault(podUserNamespace(context, uid), volumes);
  if (fault === undefined) return;
  const { userRange: _, ...rest } = record;
  releaseUsers(context, uid);
  writePodRecord(context, { ...rest, ...refused(context, pod, fault) });
}

/** Gives the Pod's range back. Nothing of the Pod may run. */
export function releaseUsers(context: KubeletContext, uid: string): void {
  const userRange = readPodRecord(context, uid)?.userRange;
  if (userRange !== undefined) releaseRange(userRange, recordPath(context, uid));
  releaseUserNamespace(podUserNamespace(context, uid));
}

function refused(context: KubeletContext, pod: Pod, userFault: string): Range {
  if (userNamespaceNeed(pod) === 'required')
    throw new AdmissionError(`this node cannot give it a user namespace (hostUsers: false): ${userFault}`);
  context.log.warn({ pod: pod.metadata.name, fault: userFault }, 'Pod runs without a user namespace');
  return { userFault };
}

function recordPath(context: KubeletContext, uid: string): string {
  return join(podContainersDirectory(context, uid), 'pod.json');
}

function volumeFault(namespace: string, volumes: ReadonlyMap<string, MountedVolume>): string | undefined {
  using users = new OwnedFd(openSync(namespace, 'r'));
  const mounts = listMounts();
  for (const [name, volume] of volumes) {
    if (volume.kind !== 'files' || isReadOnlyOverlay(mounts, volume.path)) continue;
    if (!canBeMapped(volume.path, users))
      return `the file system of volume "${name}" cannot show other owners (idmapped mounts)`;
  }
  return undefined;
}
