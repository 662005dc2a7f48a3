/** Disks of a VM: where they are, what they are, and how they are made. */
export {
  type CloudInitEditor,
  prepareCloudInit,
} from './cloud-init/build.ts';
export {
  type CloudInitData,
  type CloudInitKind,
  cloudInitMetaData,
  cloudInitVolume,
  type DeviceMetadata,
  type IsoFile,
} from './cloud-init/data.ts';
export {
  checkTrackingOverlay,
  dataFileOf,
  ensureTrackingOverlay,
  trackedSinceMs,
  type OverlayOutcome,
} from './changed-blocks/overlay.ts';
export { type DiskData, seal } from './changed-blocks/seal.ts';
export { findContainerDisk, openContainerDisk } from './container-disk.ts';
export { type CopyTreeOptions, type CopyTreeResult, copyTree } from './copy-tree.ts';
export {
  deviceBytes,
  type DiskImageResult,
  imageRoom,
  roomForImage,
} from './disk-image.ts';
export { type Metric, metricsXml, VHOSTMD_BUSY, vhostmdDisk } from './downward-metrics.ts';
export { guestHostname } from './hostname.ts';
export { ImageError, type ImageInfo, inspectImage, inspectImageLater, judgeImage } from './image/inspect.ts';
export type { IsoOptions } from './iso.ts';
export { notPlain } from './plain-file.ts';
export {
  type LeaseRenewal,
  readRenewal,
  type RenewalReading,
  writeRenewal,
} from './lease-renewal.ts';
export { findLease, type Lease, type LeaseHolder, readLease } from './lease.ts';
export { LeaseTakenError, takeLease, takeSteps } from './take-lease.ts';
export { memoryLeaseFiles } from './testing/memory-lease-files.ts';
export { type PreparedVolume, type PrepareDisksOptions, prepareDisks } from './prepare-disks.ts';
export type { Backing } from './qemu-img.ts';
export {
  PAGE_BYTES,
  type SplitLimits,
  type SplitSink,
  StreamNotSplit,
  StreamSplitter,
} from './guest-memory/split-stream.ts';
export {
  openState,
  StateDamaged,
  type StateKey,
  type StateReader,
  writeState,
} from './guest-memory/state-file.ts';
export { stateDigest, UNPACKED, unpackMemory } from './guest-memory/unpack.ts';
