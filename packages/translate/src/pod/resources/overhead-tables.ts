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
 * Ours: measured on our launcher (`podvisor bench overhead`, figures in bench/README.md), with a margin of at least a
 * half. There is no monitor and no virtlogd; the launcher is one Node process, and libvirtd serves one domain. What
 * could not be measured here (passed-through devices, encrypted memory, arm64) is KubeVirt's figure.
 */
export const podvisorOverhead: OverheadTable = {
  ...kubevirtOverhead,
  // launcher 25 (measured 15.6), libvirtd 8 (4.3), QEMU 32 (18.4), and 20 of the 88 of programs and libraries, which
  // all Pods of a node share
  processes: (25 + 8 + 32 + 20) * MI,
  // measured 0.2; a thread's stack when it is busy
  perVcpu: 2 * MI,
  ioThread: 2 * MI,
  // measured 3; the card's memory of 16 becomes resident as soon as a guest draws
  graphics: 24 * MI,
  // virt-probe is a Node process of its own, small and short
  probe: 20 * MI,
  probeOnce: 0,
  tpm: 15 * MI,
  // up to 13 seen in the first minute; it grows with the programs that the guest runs
  emulation: 64 * MI,
};
