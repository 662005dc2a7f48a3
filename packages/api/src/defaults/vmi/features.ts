/** Features, timers and probes: naming one without a value means the usual value. */
import type { Draft } from '../../draft.ts';
import type { FeatureHyperv, FeatureState, Features, Probe, Timer, VMISpec } from '../../types/index.ts';

const SPINLOCK_RETRIES = 4096;

export function defaultFeatures(spec: Draft<VMISpec>): void {
  spec.domain.features ??= {};
  const { features } = spec.domain;
  features.acpi ??= {};
  // s390x machines have no ACPI.
  features.acpi.enabled ??= spec.architecture !== 's390x';
  for (const name of ['apic', 'smm', 'pvspinlock'] satisfies (keyof Features)[]) {
    enableIfNamed(features[name]);
  }
  if (features.hyperv) defaultHyperv(features.hyperv);
}

function defaultHyperv(hyperv: Draft<FeatureHyperv>): void {
  for (const feature of Object.values(hyperv)) enableIfNamed(feature);
  const { spinlocks, synictimer, tlbflush } = hyperv;
  if (spinlocks?.enabled) spinlocks.spinlocks ??= SPINLOCK_RETRIES;
  enableIfNamed(synictimer?.direct);
  enableIfNamed(tlbflush?.direct);
  enableIfNamed(tlbflush?.extended);
}

export function defaultTimers(spec: Draft<VMISpec>): void {
  const timers: Draft<Timer> = spec.domain.clock?.timer ?? {};
  for (const timer of Object.values(timers)) timer.present ??= true;
}

export function defaultProbes(spec: Draft<VMISpec>): void {
  for (const probe of [spec.livenessProbe, spec.readinessProbe]) if (probe) defaultProbe(probe);
}

function defaultProbe(probe: Draft<Probe>): void {
  probe.timeoutSeconds = positiveOr(probe.timeoutSeconds, 1);
  probe.periodSeconds = positiveOr(probe.periodSeconds, 10);
  probe.successThreshold = positiveOr(probe.successThreshold, 1);
  probe.failureThreshold = positiveOr(probe.failureThreshold, 3);
}

function positiveOr(value: number | undefined, usual: number): number {
  return value !== undefined && value >= 1 ? value : usual;
}

function enableIfNamed(feature: Draft<FeatureState> | undefined): void {
  if (feature) feature.enabled ??= true;
}
