/** Memory that a launcher Pod needs beyond its guest: the constants of the formula in `memory-overhead.ts`. */

const MI = 1024 * 1024;

/** Constants of the overhead formula, in bytes unless the name says otherwise. */
export interface OverheadTable {
  /** Guest memory per byte of page tables. */
  readonly pageTableDivisor: number;
  /** Processes of the Pod that are always there, QEMU's fixed part included. */
  readonly processes: number;
  readonly perVcpu: number;
  readonly ioThread: number;
  readonly graphics: number;
  /** UEFI code and variables of arm64 guests. */
  readonly arm64: number;
  /** Memory-mapped IO space of passed-through devices. */
  readonly vfio: number;
  readonly downwardMetrics: number;
  readonly probe: number;
  /** Once, when there is any probe that runs inside the Pod. */
  readonly probeOnce: number;
  readonly sev: number;
  readonly tpm: number;
  /** Code that software emulation translates and keeps; nothing with hardware virtualisation. */
  readonly emulation: number;
  /** Room for Pods whose limit equals their request, where any excess is fatal. */
  readonly guaranteed: number;
}

/** KubeVirt's constants: what its users see, and what the recorded cases are made with. */
export const kubevirtOverhead: OverheadTable = {
  pageTableDivisor: 512,
  // launcher monitor 25, launcher 100, virtlogd 25, virtqemud 40, QEMU 50
  processes: (25 + 100 + 25 + 40 + 50) * MI,
  perVcpu: 8 * MI,
  ioThread: 8 * MI,
  graphics: 32 * MI,
  arm64: 128 * MI,
  vfio: 1024 * MI,
  downwardMetrics: MI,
  probe: 10 * MI,
  probeOnce: 100 * MI,
  sev: 256 * MI,
  tpm: 53 * MI,
  emulation: 0,
  guaranteed: 100 * MI,
};

/**
 * Ours: no monitor and no virtlogd; the launcher is one Node process whose code pages are shared by all Pods of a
 * node, and libvirtd serves one domain. Everything that QEMU itself needs is KubeVirt's figure.
 */
export const podvisorOverhead: OverheadTable = {
  ...kubevirtOverhead,
  // launcher 30, libvirtd 25, QEMU 50
  processes: (30 + 25 + 50) * MI,
  probeOnce: 0,
};
