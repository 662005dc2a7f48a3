/** What the launcher is told besides the VMI. Pure. */
import {
  type ClaimFacts,
  claimName,
  type InterfaceAttachment,
  type ClusterConfig,
  leasePlace,
  type MigratedVolume,
  migratedVolume,
  type PersistentVolumeClaimInfo,
  type SyncOptions,
  type VirtualMachineInstance,
  claimBytes,
} from '@podvisor/api';
import { type DomainConfig, domainSettings } from '@podvisor/translate';

export interface NodeFacts {
  readonly name: string;
  /** Another node could take the guest. */
  readonly hasOthers?: boolean;
  readonly kvmUsable: boolean;
  /** libvirt was asked, and knows no model for this node's CPU. */
  readonly lacksHostModel?: boolean;
}

/** What the launcher is told of the cluster's configuration. */
export type SyncSettings = DomainConfig & Pick<ClusterConfig, 'nodeLoss'>;

export function syncOptions(
  vmi: VirtualMachineInstance,
  config: SyncSettings,
  node: NodeFacts,
  interfaces: readonly InterfaceAttachment[],
  end: MigrationRole = 'source',
): SyncOptions {
  return {
    ...domainSettings(vmi, config, node.kvmUsable),
    interfaces,
    volumes: volumeFacts(vmi, end),
    ...(node.hasOthers === true ? leaseOptions(vmi, config, node.name) : {}),
  };
}

/** Where the guest keeps its lease. One whose disks are being copied elsewhere gets it at its next start. */
function leaseOptions(
  vmi: VirtualMachineInstance,
  { nodeLoss }: SyncSettings,
  nodeName: string,
): Pick<SyncOptions, 'lease'> {
  const place = leasePlace(vmi);
  if (place.kind === 'none' || (vmi.status?.migratedVolumes ?? []).length > 0) return {};
  return { lease: { volume: place.volume, nodeName, ...nodeLoss } };
}

/** Which end of a migration asks: a disk that moves is on one claim here, and on another there. */
export type MigrationRole = 'source' | 'target';

/** Facts about claims, which the controller noted in the status when it found them. */
export function volumeFacts(
  vmi: VirtualMachineInstance,
  end: MigrationRole = 'source',
): NonNullable<SyncOptions['volumes']> {
  const facts: Record<string, ClaimFacts> = {};
  for (const volume of vmi.spec.volumes ?? []) {
    if (claimName(volume) === undefined) continue;
    const status = vmi.status?.volumeStatus?.find((s) => s.name === volume.name);
    const moved = migratedVolume(vmi, volume.name);
    const info = infoOf(moved, end) ?? status?.persistentVolumeClaimInfo;
    const capacity = claimBytes(info);
    const copied =
      moved === undefined || end === 'source' ? undefined : (status?.size ?? claimBytes(moved.sourcePVCInfo));
    facts[volume.name] = {
      block: info?.volumeMode === 'Block',
      ...(capacity === undefined ? {} : { capacityBytes: capacity }),
      ...overheadOf(info?.filesystemOverhead),
      ...(copied === undefined ? {} : { copiedBytes: Number(copied) }),
    };
  }
  return facts;
}

function overheadOf(share: string | undefined): Pick<ClaimFacts, 'fileSystemOverhead'> {
  const number = Number(share);
  return number > 0 && number < 1 ? { fileSystemOverhead: number } : {};
}

function infoOf(
  moved: MigratedVolume | undefined,
  end: MigrationRole,
): PersistentVolumeClaimInfo | undefined {
  return end === 'source' ? moved?.sourcePVCInfo : moved?.destinationPVCInfo;
}
