import type { Int } from '../kubernetes/meta.ts';

/** The guest's clock; utc and timezone exclude each other. */
export interface Clock {
  /** Timers of the machine. */
  readonly timer?: Timer;
  /** Time zone that the clock starts in, such as Europe/Paris. */
  readonly timezone?: string;
  /** The clock starts in UTC, with an optional offset. */
  readonly utc?: ClockOffsetUTC;
}

/** Timers of the machine. */
export interface Timer {
  /** High precision event timer. */
  readonly hpet?: HPETTimer;
  /** Hyper-V reference time. */
  readonly hyperv?: FlagTimer;
  /** KVM clock. */
  readonly kvm?: FlagTimer;
  /** Programmable interval timer. */
  readonly pit?: HPETTimer;
  /** Real-time clock. */
  readonly rtc?: RTCTimer;
}

/** A timer that may tick late. */
export interface HPETTimer {
  /** Whether the timer exists; true when unset. */
  readonly present?: boolean;
  /** What happens to missed ticks: delay, catchup, merge or discard. */
  readonly tickPolicy?: string;
}

/** A timer that is there or not. */
export interface FlagTimer {
  /** Whether the timer exists; true when unset. */
  readonly present?: boolean;
}

/** The real-time clock. */
export interface RTCTimer {
  /** Whether the timer exists; true when unset. */
  readonly present?: boolean;
  /** What happens to missed ticks: delay or catchup. */
  readonly tickPolicy?: string;
  /** What the clock follows: guest or wall. */
  readonly track?: string;
}

/** A clock in UTC. */
export interface ClockOffsetUTC {
  /** Seconds that the clock is ahead of UTC; none keeps UTC and resets at every start. */
  readonly offsetSeconds?: Int;
}
