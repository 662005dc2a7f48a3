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
  probe.timeoutSeconds = probe.timeoutSeconds || 1;
  probe.periodSeconds = probe.periodSeconds || 10;
  probe.successThreshold = probe.successThreshold || 1;
  probe.failureThreshold = probe.failureThreshold || 3;
}

function enableIfNamed(feature: Draft<FeatureState> | undefined): void {
  if (feature) feature.enabled ??= true;
}
