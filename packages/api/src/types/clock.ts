import type { Int } from './meta.ts';

/** - */
export interface Clock {
  /** - */
  readonly timer?: Timer;
  /** - */
  readonly timezone?: string;
  /** - */
  readonly utc?: ClockOffsetUTC;
}

/** - */
export interface Timer {
  /** - */
  readonly hpet?: HPETTimer;
  /** - */
  readonly hyperv?: FlagTimer;
  /** - */
  readonly kvm?: FlagTimer;
  /** - */
  readonly pit?: HPETTimer;
  /** - */
  readonly rtc?: RTCTimer;
}

/** - */
export interface HPETTimer {
  /** - */
  readonly present?: boolean;
  /** - */
  readonly tickPolicy?: string;
}

/** - */
export interface FlagTimer {
  /** - */
  readonly present?: boolean;
}

/** - */
export interface RTCTimer {
  /** - */
  readonly present?: boolean;
  /** - */
  readonly tickPolicy?: string;
  /** - */
  readonly track?: string;
}

/** - */
export interface ClockOffsetUTC {
  /** - */
  readonly offsetSeconds?: Int;
}
