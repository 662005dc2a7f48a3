/** The two translations: VMI → launcher Pod, and VMI → libvirt domain. Pure; runs anywhere. */
export {
  type AttachedInterface,
  type ConverterContext,
  type EfiFirmware,
  type HostCell,
  type VolumeFacts,
} from './domain/context.ts';
export { explainedDomainXml } from './domain/explained-xml.ts';
export { convertVmiToDomain, explainDomain, type ExplainedPart } from './domain/convert.ts';
export { cpuTopology, type CpuTopology, vcpuCountOf } from './domain/cpu/cpu-topology.ts';
export { type DomainConfig, domainSettings } from './domain/domain-settings.ts';
export { launcherDomain, numbersSocket, withoutNumbersMonitor } from './domain/launcher-domain.ts';
export { guestMemoryBytes } from './domain/memory/memory.ts';
export { memoryDeviceOf } from './domain/memory/memory-device.ts';
export type { Domain } from './domain/model/domain.ts';
export type { DomainDisk } from './domain/model/disk.ts';
export type { DomainHostDevice, DomainMemoryDevice } from './domain/model/devices.ts';
export type { DomainNetworkInterface } from './domain/model/interface.ts';
export { ConversionError } from './domain/part.ts';
export { sriovDevices, sriovInterfaces } from './domain/devices/sriov-devices.ts';
export { hostDevicesFromEnvironment } from './domain/devices/host-device-environment.ts';
export { devicesFromEnvironment } from './domain/devices/sriov-environment.ts';
export { tscFrequencyMatters } from './domain/cpu/tsc.ts';
export { domainFromXml, domainToXml } from './domain/xml.ts';
export { parseXml } from './xml/parse.ts';
export type { XmlElement } from './xml/tree.ts';
export { locksMemory } from './pod/resources/locked-memory.ts';
export {
  explainOverhead,
  type OverheadItem,
  type OverheadOptions,
  memoryOverheadBytes,
} from './pod/resources/memory-overhead.ts';
export {
  type ClaimFacts,
  LauncherPodError,
  type ContainerDiskForm,
  type LauncherPodOptions,
  type MigrationTarget,
  type NamespaceFacts,
} from './pod/options.ts';
export { kubevirtOverhead, type OverheadTable, podvisorOverhead } from './pod/resources/overhead-tables.ts';
export {
  fitMigrationTarget,
  hasHostModelCpu,
  type MigrationSource,
  seLinuxLevelOf,
} from './pod/migration-target.ts';
export { renderLauncherPod } from './pod/render.ts';
export { STATE_VOLUME, statePlaces } from './pod/volumes/state-volumes.ts';
export { backupAnnotations } from './pod/backup-annotations.ts';
export {
  definitionReference,
  networkAnnotations,
  type NetworkSelection,
  replacementInterfaceName,
  secondaryInterfaceName,
} from './pod/networks/network-annotations.ts';
export {
  NETWORK_INFO,
  NETWORK_INFO_FILE,
  NETWORK_STATUS,
  type NetworkDevice,
  networkInfoOf,
  readNetworkInfo,
} from './pod/networks/network-info.ts';
export {
  type AttachedClaim,
  attachedDirectory,
  type AttachmentPodOptions,
  renderAttachmentPod,
} from './pod/attachment.ts';
export { helperSecurity, LAUNCHER_USER } from './pod/security.ts';
