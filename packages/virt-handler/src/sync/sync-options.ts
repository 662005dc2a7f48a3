/** What the launcher is told besides the VMI. Pure. */
import {
  type ClaimFacts,
  claimName,
  type InterfaceAttachment,
  type KubeVirtConfiguration,
  type SyncOptions,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { reportsFreePages } from '@podvisor/translate';

const DEFAULT_SMBIOS = { manufacturer: 'KubeVirt', product: 'None', family: 'KubeVirt' };
const DEFAULT_BALLOON_PERIOD_SECONDS = 10;

export interface NodeFacts {
  readonly kvmUsable: boolean;
}

export function syncOptions(
  vmi: VirtualMachineInstance,
  configuration: KubeVirtConfiguration,
  node: NodeFacts,
  interfaces: readonly InterfaceAttachment[],
): SyncOptions {
  const options = configuration.virtualMachineOptions;
  return {
    smbios: { ...DEFAULT_SMBIOS, ...configuration.smbios },
    allowEmulation: configuration.developerConfiguration?.useEmulation ?? false,
    kvmAvailable: node.kvmUsable,
    memBalloonStatsPeriodSeconds: configuration.memBalloonStatsPeriod ?? DEFAULT_BALLOON_PERIOD_SECONDS,
    freePageReporting: reportsFreePages(vmi, options?.disableFreePageReporting === undefined),
    serialConsoleLog: options?.disableSerialConsoleLog === undefined,
    interfaces,
    volumes: volumeFacts(vmi),
  };
}

/** Facts about claims, which the controller noted in the status when it found them. */
export function volumeFacts(vmi: VirtualMachineInstance): NonNullable<SyncOptions['volumes']> {
  const facts: Record<string, ClaimFacts> = {};
  for (const volume of vmi.spec.volumes ?? []) {
    if (claimName(volume) === undefined) continue;
    const info = vmi.status?.volumeStatus?.find((s) => s.name === volume.name)?.persistentVolumeClaimInfo;
    const capacity = info?.capacity?.['storage'] ?? info?.requests?.['storage'];
    facts[volume.name] = {
      block: info?.volumeMode === 'Block',
      ...(capacity === undefined ? {} : { capacityBytes: parseQuantity(capacity).value() }),
      ...overheadOf(info?.filesystemOverhead),
    };
  }
  return facts;
}

function overheadOf(share: string | undefined): Pick<ClaimFacts, 'fileSystemOverhead'> {
  const number = Number(share);
  return number > 0 && number < 1 ? { fileSystemOverhead: number } : {};
}
