import type { Int32 } from '../kubernetes/meta.ts';

/** Hardware features that are switched on or off; naming one switches it on. */
export interface Features {
  /** ACPI tables; on by default, except on s390x. */
  readonly acpi?: FeatureState;
  /** Interrupt controller. */
  readonly apic?: FeatureAPIC;
  /** Enlightenments for Windows guests. */
  readonly hyperv?: FeatureHyperv;
  /** All enlightenments that the host supports. */
  readonly hypervPassthrough?: FeatureState;
  /** What the guest sees of KVM. */
  readonly kvm?: FeatureKVM;
  /** Paravirtual spinlocks. */
  readonly pvspinlock?: FeatureState;
  /** System management mode; needed for Secure Boot. */
  readonly smm?: FeatureState;
}

/** The interrupt controller. */
export interface FeatureAPIC {
  /** Whether the feature is on; true when unset. */
  readonly enabled?: boolean;
  /** Paravirtual end of interrupt. */
  readonly endOfInterrupt?: boolean;
}

/** Hyper-V enlightenments, which make Windows guests faster. */
export interface FeatureHyperv {
  /** Nested virtualisation on Hyper-V; needs the CPU feature vmx. */
  readonly evmcs?: FeatureState;
  /** Frequencies of TSC and APIC in registers. */
  readonly frequencies?: FeatureState;
  /** Interrupts between CPUs through the hypervisor. */
  readonly ipi?: FeatureState;
  /** Notice after a migration that the TSC frequency changed. */
  readonly reenlightenment?: FeatureState;
  /** No crash when a timer is late. */
  readonly relaxed?: FeatureState;
  /** Reboot through the hypervisor. */
  readonly reset?: FeatureState;
  /** Time that a vCPU ran, in a register. */
  readonly runtime?: FeatureState;
  /** Tells the hypervisor when a lock is busy. */
  readonly spinlocks?: FeatureSpinlocks;
  /** Synthetic interrupt controller. */
  readonly synic?: FeatureState;
  /** Synthetic timers. */
  readonly synictimer?: SyNICTimer;
  /** Flushes of the TLB through the hypervisor. */
  readonly tlbflush?: TLBFlush;
  /** Virtual APIC. */
  readonly vapic?: FeatureState;
  /** Name of the hypervisor that the guest reads. */
  readonly vendorid?: FeatureVendorID;
  /** Index of the virtual processor. */
  readonly vpindex?: FeatureState;
}

/** Tells the hypervisor when a lock is busy. */
export interface FeatureSpinlocks {
  /** Whether the feature is on; true when unset. */
  readonly enabled?: boolean;
  /** Tries before the hypervisor is told; 4096 when unset. */
  readonly spinlocks?: Int32;
}

/** Synthetic timers. */
export interface SyNICTimer {
  /** Timers that interrupt directly. */
  readonly direct?: FeatureState;
  /** Whether the feature is on; true when unset. */
  readonly enabled?: boolean;
}

/** Flushes of the TLB through the hypervisor. */
export interface TLBFlush {
  /** Flushes from nested guests. */
  readonly direct?: FeatureState;
  /** Whether the feature is on; true when unset. */
  readonly enabled?: boolean;
  /** Flushes of address ranges. */
  readonly extended?: FeatureState;
}

/** Name of the hypervisor that the guest reads. */
export interface FeatureVendorID {
  /** Whether the feature is on; true when unset. */
  readonly enabled?: boolean;
  /** The name, at most 12 characters. */
  readonly vendorid?: string;
}

/** What the guest sees of KVM. */
export interface FeatureKVM {
  /** Hides KVM from the guest. */
  readonly hidden?: boolean;
}

/** A feature that is on unless enabled is false. */
export interface FeatureState {
  /** Whether the feature is on; true when unset. */
  readonly enabled?: boolean;
}
