import type { Int32 } from './meta.ts';

/** - */
export interface Features {
  /** - */
  readonly acpi?: FeatureState;
  /** - */
  readonly apic?: FeatureAPIC;
  /** - */
  readonly hyperv?: FeatureHyperv;
  /** - */
  readonly hypervPassthrough?: FeatureState;
  /** - */
  readonly kvm?: FeatureKVM;
  /** - */
  readonly pvspinlock?: FeatureState;
  /** - */
  readonly smm?: FeatureState;
}

/** - */
export interface FeatureAPIC {
  /** - */
  readonly enabled?: boolean;
  /** - */
  readonly endOfInterrupt?: boolean;
}

/** - */
export interface FeatureHyperv {
  /** - */
  readonly evmcs?: FeatureState;
  /** - */
  readonly frequencies?: FeatureState;
  /** - */
  readonly ipi?: FeatureState;
  /** - */
  readonly reenlightenment?: FeatureState;
  /** - */
  readonly relaxed?: FeatureState;
  /** - */
  readonly reset?: FeatureState;
  /** - */
  readonly runtime?: FeatureState;
  /** - */
  readonly spinlocks?: FeatureSpinlocks;
  /** - */
  readonly synic?: FeatureState;
  /** - */
  readonly synictimer?: SyNICTimer;
  /** - */
  readonly tlbflush?: TLBFlush;
  /** - */
  readonly vapic?: FeatureState;
  /** - */
  readonly vendorid?: FeatureVendorID;
  /** - */
  readonly vpindex?: FeatureState;
}

/** - */
export interface FeatureSpinlocks {
  /** - */
  readonly enabled?: boolean;
  /** - */
  readonly spinlocks?: Int32;
}

/** - */
export interface SyNICTimer {
  /** - */
  readonly direct?: FeatureState;
  /** - */
  readonly enabled?: boolean;
}

/** - */
export interface TLBFlush {
  /** - */
  readonly direct?: FeatureState;
  /** - */
  readonly enabled?: boolean;
  /** - */
  readonly extended?: FeatureState;
}

/** - */
export interface FeatureVendorID {
  /** - */
  readonly enabled?: boolean;
  /** - */
  readonly vendorid?: string;
}

/** - */
export interface FeatureKVM {
  /** - */
  readonly hidden?: boolean;
}

/** - */
export interface FeatureState {
  /** - */
  readonly enabled?: boolean;
}
