/** Which claims to plug into a launcher Pod and which to take away. Pure. */
import {
  isHotpluggable,
  isMemoryDump,
  type DomainState,
  migratedVolume,
  type PersistentVolumeClaimInfo,
  type VirtualMachineInstance,
  type VolumeStatus,
  volumesOfPod,
} from '@podvisor/api';
import { type DnsLabel, isDnsLabel, parseUid, type Uid } from '@podvisor/base';
import type { PluggedVolume } from '../ghost-records/record.ts';
import type { MigrationRole } from '../sync/sync-options.ts';

/** A claim that virt-controller has brought to this node. */
export interface DesiredPlug {
  readonly volume: DnsLabel;
  readonly attachPodUid: Uid;
  readonly block: boolean;
  /** The launcher gets the directory, not an image in it. */
  readonly directory?: true;
}

/**
 * Claims that the VMI names and that are on this node, each with the attachment Pod that virt-controller recorded for
 * it; what a Pod claims by itself does not count. `end`: on a migration's target, a disk that moves is on the claim of
 * the migration's record; on its source, on the claim of the status.
 */
export function desiredPlugs(
  vmi: VirtualMachineInstance,
  end: MigrationRole = 'source',
): readonly DesiredPlug[] {
  return volumesOfPod(vmi.spec)
    .filter(isHotpluggable)
    .flatMap((volume): DesiredPlug[] => {
      const { name } = volume;
      const status = vmi.status?.volumeStatus?.find((candidate) => candidate.name === name);
      const attachPodUid = parseUid(status?.hotplugVolume?.attachPodUID);
      if (attachPodUid === undefined || status === undefined || !isDnsLabel(name)) return [];
      return [
        {
          volume: name,
          attachPodUid,
          block: claimAt(vmi, status, end)?.volumeMode === 'Block',
          ...(isMemoryDump(volume) ? { directory: true } : {}),
        },
      ];
    });
}

/**
 * Volumes of the spec whose claims are not on the node yet. A guest is started with all of them, as KubeVirt does
 * (`hotplugVolumesReady`): it may boot from one. What is plugged in later holds nothing up.
 */
export function awaitedPlugs(vmi: VirtualMachineInstance): readonly string[] {
  const here = new Set<string>(desiredPlugs(vmi).map(({ volume }) => volume));
  return volumesOfPod(vmi.spec)
    .filter((volume) => isHotpluggable(volume) && !here.has(volume.name))
    .map(({ name }) => name);
}

function claimAt(
  vmi: VirtualMachineInstance,
  { name, persistentVolumeClaimInfo }: VolumeStatus,
  end: MigrationRole,
): PersistentVolumeClaimInfo | undefined {
  const moved = migratedVolume(vmi, name);
  return (end === 'source' ? moved?.sourcePVCInfo : moved?.destinationPVCInfo) ?? persistentVolumeClaimInfo;
}

/** Claims that nobody wants any more and that the guest does not use. `domain` undefined: there is none. */
export function unplugList(
  vmi: VirtualMachineInstance,
  plugged: readonly PluggedVolume[],
  domain: DomainState | undefined,
): readonly PluggedVolume[] {
  const wanted = new Set(
    volumesOfPod(vmi.spec)
      .filter(isHotpluggable)
      .map(({ name }) => name),
  );
  const backup = domain?.backup?.endTimestamp === undefined ? domain?.backup?.target : undefined;
  const used = new Set([...(domain?.pluggedVolumes ?? []), ...(backup === undefined ? [] : [backup])]);
  return plugged.filter(({ volume }) => !wanted.has(volume) && !used.has(volume));
}
