import {
  attribute,
  child,
  children,
  content,
  element,
  flag,
  integer,
  textChild,
  type TypeOf,
} from '../../xml/codec.ts';
import { state } from './common.ts';

export const os = element({
  firmware: attribute(),
  type: child(element({ arch: attribute(), machine: attribute(), value: content() })),
  features: child(
    element({ feature: children('feature', element({ enabled: attribute(), name: attribute() })) }),
    'firmware',
  ),
  loader: child(
    element({
      readonly: attribute(),
      secure: attribute(),
      type: attribute(),
      format: attribute(),
      path: content(),
    }),
  ),
  nvram: child(element({ template: attribute(), format: attribute(), path: content() })),
  kernel: textChild(),
  initrd: textChild(),
  cmdline: textChild(),
  acpi: child(element({ tables: children('table', element({ type: attribute(), path: content() })) })),
  bootmenu: child(element({ enable: attribute(), timeout: integer() })),
  smbios: child(element({ mode: attribute() })),
  bios: child(element({ useserial: attribute() })),
});
export type DomainOs = TypeOf<typeof os>;

const entries = element({ entries: children('entry', element({ name: attribute(), value: content() })) });
export const sysinfo = element({
  type: attribute(),
  bios: child(entries),
  system: child(entries),
  baseBoard: child(entries),
  chassis: child(entries),
});

const hyperv = element({
  mode: attribute(),
  relaxed: child(state),
  vapic: child(state),
  spinlocks: child(element({ state: attribute(), retries: integer() })),
  vpindex: child(state),
  runtime: child(state),
  synic: child(state),
  stimer: child(element({ state: attribute(), direct: child(state) })),
  reset: child(state),
  vendorId: child(element({ state: attribute(), value: attribute() }), 'vendor_id'),
  frequencies: child(state),
  reenlightenment: child(state),
  tlbflush: child(element({ state: attribute(), direct: child(state), extended: child(state) })),
  ipi: child(state),
  evmcs: child(state),
});
export type DomainHyperv = TypeOf<typeof hyperv>;

export const features = element({
  acpi: flag(),
  apic: child(element({ eoi: attribute() })),
  hyperv: child(hyperv),
  kvm: child(element({ hidden: child(state), hintDedicated: child(state, 'hint-dedicated') })),
  pvspinlock: child(state),
  pmu: child(state),
  vmport: child(state),
  smm: child(state),
});
export type DomainFeatures = TypeOf<typeof features>;

export const clock = element({
  offset: attribute(),
  adjustment: attribute(),
  timezone: attribute(),
  timers: children(
    'timer',
    element({
      name: attribute(),
      tickPolicy: attribute('tickpolicy'),
      present: attribute(),
      track: attribute(),
      frequency: attribute(),
    }),
  ),
});
export type DomainClock = TypeOf<typeof clock>;

export const launchSecurity = element({
  type: attribute(),
  cbitpos: textChild(),
  reducedPhysBits: textChild(),
  policy: textChild(),
  dhCert: textChild(),
  session: textChild(),
  quoteGenerationService: child(element({ path: attribute() })),
});
