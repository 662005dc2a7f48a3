/** `<features>`: ACPI, APIC, Hyper-V enlightenments and what else the virtual machine board offers. */
import type { FeatureHyperv, FeatureState } from '@podvisor/api';
import type { DomainFeatures, DomainHyperv } from '../model/platform.ts';
import type { Conversion, Part } from '../part.ts';

type State = { readonly state: string };

/** Hypervisor features. */
export const featuresPart: Part = {
  name: 'features',
  fields: ['spec.domain.features', 'spec.domain.cpu.realtime', 'spec.domain.launchSecurity'],
  convert: (input) => ({ features: { ...fromSpec(input), ...kvmFeatures(input), ...fromRules(input) } }),
};

function fromSpec({ spec, architecture }: Conversion): DomainFeatures {
  const features = spec.domain.features;
  if (features === undefined) return {};
  return {
    ...(isOn(features.acpi) ? { acpi: true as const } : {}),
    ...(features.apic !== undefined && isOn(features.apic)
      ? { apic: features.apic.endOfInterrupt ? { eoi: 'on' } : {} }
      : {}),
    ...(features.smm !== undefined && isOn(features.smm) ? { smm: {} } : {}),
    ...(features.hyperv === undefined ? {} : { hyperv: hyperv(features.hyperv) }),
    ...(features.hyperv === undefined && features.hypervPassthrough?.enabled
      ? { hyperv: { mode: 'passthrough' } }
      : {}),
    ...(features.pvspinlock === undefined ? {} : { pvspinlock: stateOf(features.pvspinlock) }),
    ...(architecture.vmport ? { vmport: { state: 'off' } } : {}),
  };
}

function kvmFeatures({ spec }: Conversion): DomainFeatures {
  const kvm = spec.domain.features?.kvm;
  return kvm === undefined ? {} : { kvm: { hidden: { state: kvm.hidden ? 'on' : 'off' } } };
}

function fromRules({ spec }: Conversion): DomainFeatures {
  const { launchSecurity, cpu, features } = spec.domain;
  const tdx = launchSecurity?.tdx !== undefined && features !== undefined;
  const realtime = cpu?.realtime !== undefined && cpu.dedicatedCpuPlacement === true;
  return tdx || realtime ? { pmu: { state: 'off' } } : {};
}

/** A feature that is written without a value is on. */
function isOn(feature: FeatureState | undefined): boolean {
  return feature === undefined || feature.enabled !== false;
}

function stateOf(feature: FeatureState): State {
  return { state: isOn(feature) ? 'on' : 'off' };
}

function hyperv(spec: FeatureHyperv): DomainHyperv {
  return {
    ...only('relaxed', spec.relaxed, stateOf),
    ...only('vapic', spec.vapic, stateOf),
    ...only('spinlocks', spec.spinlocks, (spinlocks) => ({
      ...stateOf(spinlocks),
      ...(spinlocks.spinlocks === undefined ? {} : { retries: spinlocks.spinlocks }),
    })),
    ...only('vpindex', spec.vpindex, stateOf),
    ...only('runtime', spec.runtime, stateOf),
    ...only('synic', spec.synic, stateOf),
    ...only('stimer', spec.synictimer, (timer) => ({
      ...stateOf(timer),
      ...only('direct', timer.direct, stateOf),
    })),
    ...only('reset', spec.reset, stateOf),
    ...only('vendorId', spec.vendorid, (vendor) => ({
      ...stateOf(vendor),
      ...(vendor.vendorid ? { value: vendor.vendorid } : {}),
    })),
    ...only('frequencies', spec.frequencies, stateOf),
    ...only('reenlightenment', spec.reenlightenment, stateOf),
    ...only('tlbflush', spec.tlbflush, (flush) => ({
      ...stateOf(flush),
      ...only('direct', flush.direct, stateOf),
      ...only('extended', flush.extended, stateOf),
    })),
    ...only('ipi', spec.ipi, stateOf),
    ...only('evmcs', spec.evmcs, stateOf),
  };
}

/** `{ key: convert(value) }`, or nothing when the value is absent. */
function only<K extends string, V, R>(
  key: K,
  value: V | undefined,
  convert: (value: V) => R,
): { readonly [P in K]?: R } {
  return value === undefined ? {} : ({ [key]: convert(value) } as { readonly [P in K]?: R });
}
