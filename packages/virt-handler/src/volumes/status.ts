/** `status.volumeStatus` from what the node sees: names in the guest, and how far a plugged claim has come. Pure. */
import {
  isHotpluggable,
  type DomainMemoryDump,
  type DomainState,
  type VirtualMachineInstance,
  type VolumeStatus,
  volumesOfPod,
} from '@podvisor/api';
import type { EventText } from '../sync/events.ts';

export interface VolumesSeen {
  readonly domain: DomainState;
  /** Claims that the launcher Pod sees. */
  readonly plugged: ReadonlySet<string>;
  /** What the last attempt to make the domain match said, if it failed. */
  readonly failure?: string;
}

/** Device names go where the volume is; volumes that the controller has not listed yet are added. */
export function volumeStatuses(vmi: VirtualMachineInstance, seen: VolumesSeen): readonly VolumeStatus[] {
  const old = vmi.status?.volumeStatus ?? [];
  const { diskTargets, diskBytes = {} } = seen.domain;
  const known = new Set(old.map((v) => v.name));
  const added = (vmi.spec.volumes ?? [])
    .filter((v) => !known.has(v.name) && !isHotpluggable(v) && diskTargets[v.name] !== undefined)
    .map((v): VolumeStatus => ({ name: v.name, target: '' }));
  const wanted = new Set(
    volumesOfPod(vmi.spec)
      .filter(isHotpluggable)
      .map(({ name }) => name),
  );
  return [...old, ...added]
    .map((status) => {
      const size = diskBytes[status.name] ?? seen.domain.imageBytes?.[status.name] ?? status.size;
      const next = {
        ...status,
        ...(size === undefined ? {} : { size }),
        target: diskTargets[status.name] ?? status.target,
      };
      if (status.hotplugVolume === undefined) return next;
      const plugged = pluggedStatus(next, wanted.has(status.name), seen);
      return wanted.has(status.name) ? dumpStatus(plugged, seen.domain.memoryDump) : plugged;
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function pluggedStatus(
  status: VolumeStatus,
  isWanted: boolean,
  { domain, plugged, failure }: VolumesSeen,
): VolumeStatus {
  const { reason: _reason, message: _message, ...unchanged } = status;
  const isInGuest = domain.pluggedVolumes?.includes(status.name) === true;
  const isMounted = plugged.has(status.name);
  if (!isWanted) {
    return isInGuest || isMounted
      ? { ...unchanged, phase: 'Detaching' }
      : { ...unchanged, target: '', phase: 'UnMountedFromPod' };
  }
  if (isInGuest) return { ...unchanged, phase: 'Ready' };
  const isOnNode = status.hotplugVolume?.attachPodUID !== undefined;
  // Before that, virt-controller tells how the claim stands.
  if (!isOnNode) return status;
  const phase = isMounted ? 'MountedToPod' : 'AttachedToNode';
  const concerns = failure !== undefined && names(failure, status.name);
  if (concerns) return { ...unchanged, phase, reason: 'AttachFailed', message: failure };
  return { ...status, phase };
}

/** A claim for a memory dump: how far the dump has come. */
function dumpStatus(status: VolumeStatus, dump: DomainMemoryDump | undefined): VolumeStatus {
  if (dump === undefined || dump.volume !== status.name) return status;
  const { reason: _reason, message: _message, ...unchanged } = status;
  const memoryDumpVolume = {
    claimName: dump.claimName,
    targetFileName: dump.fileName,
    startTimestamp: dump.startTimestamp,
    ...(dump.endTimestamp === undefined ? {} : { endTimestamp: dump.endTimestamp }),
  };
  if (dump.failed === true)
    return {
      ...unchanged,
      memoryDumpVolume,
      phase: 'MemoryDumpVolumeFailed',
      message: `Memory dump Volume ${dump.volume} failed: ${dump.message ?? ''}`,
    };
  const phase = dump.endTimestamp === undefined ? 'MemoryDumpVolumeInProgress' : 'MemoryDumpVolumeCompleted';
  return { ...unchanged, memoryDumpVolume, phase };
}

const TOLD: Readonly<Record<string, readonly [reason: string, text: (volume: string) => string]>> = {
  MountedToPod: ['VolumeMountedToPod', (v) => `Volume ${v} has been mounted in virt-launcher pod`],
  MemoryDumpVolumeInProgress: [
    'MemoryDumpVolumeInProgress',
    (v) => `Memory dump Volume ${v} is attached, getting memory dump`,
  ],
  MemoryDumpVolumeCompleted: ['MemoryDumpVolumeCompleted', (v) => `Memory dump Volume ${v} has completed`],
  Ready: ['VolumeReady', (v) => `Successfully attach hotplugged volume ${v} to VM`],
  UnMountedFromPod: [
    'VolumeUnMountedFromPod',
    (v) => `Volume ${v} has been unmounted from virt-launcher pod`,
  ],
};

/** Events for the steps of plugged claims. */
export function volumeEvents(
  before: readonly VolumeStatus[] | undefined,
  after: readonly VolumeStatus[] | undefined,
): readonly EventText[] {
  const old = new Map(before?.map(({ name, phase }) => [name, phase]));
  return (after ?? []).flatMap(({ name, phase, hotplugVolume, reason, message }): EventText[] => {
    if (hotplugVolume === undefined || old.get(name) === phase) return [];
    if (phase === 'MemoryDumpVolumeFailed')
      return [{ type: 'Warning', reason: phase, message: message ?? '' }];
    if (reason !== undefined && message !== undefined) return [{ type: 'Warning', reason, message }];
    const told = TOLD[phase ?? ''];
    return told === undefined ? [] : [{ type: 'Normal', reason: told[0], message: told[1](name) }];
  });
}

/** Whether the launcher's words are of this disk. */
function names(failure: string, volume: string): boolean {
  return ['disk', 'volume', 'drive'].some((word) =>
    failure
      .split(`${word} ${volume}`)
      .slice(1)
      .some((rest) => !/^\w/.test(rest)),
  );
}
