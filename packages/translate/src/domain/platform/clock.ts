/** `<clock>`: offset and timers. */
import type { Clock, Timer } from '@podvisor/api';
import { manualTscFrequency } from '../cpu/tsc.ts';
import type { DomainClock } from '../model/platform.ts';
import type { Part } from '../part.ts';

type DomainTimer = NonNullable<DomainClock['timers']>[number];

/** Clock and timers; absent when neither the spec nor the TSC asks for any. */
export const clockPart: Part = {
  name: 'clock',
  fields: ['spec.domain.clock', 'status.topologyHints.tscFrequency'],
  convert: ({ vmi, spec }) => {
    const clock = spec.domain.clock;
    const frequency = manualTscFrequency(vmi);
    if (clock === undefined && frequency === undefined) return {};
    const timers = [
      ...timersOf(clock?.timer),
      ...(frequency === undefined ? [] : [{ name: 'tsc', frequency: String(frequency) }]),
    ];
    return { clock: { ...offsetOf(clock), ...(timers.length === 0 ? {} : { timers }) } };
  },
};

function offsetOf(clock: Clock | undefined): DomainClock {
  if (clock?.utc !== undefined) {
    const offset = clock.utc.offsetSeconds;
    return { offset: 'utc', adjustment: offset === undefined ? 'reset' : String(offset) };
  }
  return clock?.timezone === undefined ? {} : { offset: 'timezone', timezone: clock.timezone };
}

function timersOf(timer: Timer | undefined): DomainTimer[] {
  if (timer === undefined) return [];
  return [
    ...(timer.rtc === undefined
      ? []
      : [{ name: 'rtc', ...policyOf(timer.rtc), ...presence(timer.rtc), ...trackOf(timer.rtc.track) }]),
    ...(timer.pit === undefined ? [] : [{ name: 'pit', ...policyOf(timer.pit), ...presence(timer.pit) }]),
    ...(timer.kvm === undefined ? [] : [{ name: 'kvmclock', ...presence(timer.kvm) }]),
    ...(timer.hpet === undefined ? [] : [{ name: 'hpet', ...policyOf(timer.hpet), ...presence(timer.hpet) }]),
    ...(timer.hyperv === undefined ? [] : [{ name: 'hypervclock', ...presence(timer.hyperv) }]),
  ];
}

function presence(timer: { readonly present?: boolean }): DomainTimer {
  return { present: timer.present === false ? 'no' : 'yes' };
}

function policyOf(timer: { readonly tickPolicy?: string }): DomainTimer {
  return timer.tickPolicy ? { tickPolicy: timer.tickPolicy } : {};
}

function trackOf(track: string | undefined): DomainTimer {
  return track ? { track } : {};
}
