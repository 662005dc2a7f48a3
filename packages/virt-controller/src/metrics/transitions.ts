/** How long VMIs and migrations take from phase to phase; heard from the caches as it happens. */
import {
  CONTROLLER_METRICS as M,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { Histogram, Meter, type MetricFamily } from '@podvisor/base';
import type { Caches } from '../caches.ts';

const BOUNDS_SECONDS = [0.5, 1, 2, 5, 10, 20, 30, 40, 50, 60, 90, 120, 180, 300, 600, 1200];

export class Transitions {
  readonly #betweenPhases = new Histogram(M.vmiPhaseTransitionTimeSeconds, BOUNDS_SECONDS);
  readonly #fromCreation = new Histogram(M.vmiPhaseTransitionTimeFromCreationSeconds, BOUNDS_SECONDS);
  readonly #fromDeletion = new Histogram(M.vmiPhaseTransitionTimeFromDeletionSeconds, BOUNDS_SECONDS);
  readonly #migration = new Histogram(M.vmiMigrationPhaseTransitionTimeFromCreationSeconds, BOUNDS_SECONDS);
  readonly #created = new Meter(M.vmCreatedByPodTotal);

  /** Hears until the caches end. */
  follow(caches: Pick<Caches, 'vms' | 'vmis' | 'migrations'>): void {
    caches.vms.on({ add: (vm, initial) => (initial === true ? undefined : this.onVmCreated(vm)) });
    caches.vmis.on({ update: (vmi, before) => this.onVmi(vmi, before) });
    caches.migrations.on({ update: (migration, before) => this.onMigration(migration, before) });
  }

  onVmCreated({ metadata }: VirtualMachine): void {
    this.#created.add({ namespace: metadata?.namespace ?? '' });
  }

  onVmi(vmi: VirtualMachineInstance, before: VirtualMachineInstance): void {
    const phase = vmi.status?.phase ?? '';
    const last = before.status?.phase ?? '';
    if (phase === last) return;
    const reached = timeOf(vmi, phase);
    const created = Date.parse(vmi.metadata?.creationTimestamp ?? '');
    const left = timeOf(vmi, last);
    const deleted = Date.parse(vmi.metadata?.deletionTimestamp ?? '');
    const labels = { phase, last_phase: last };
    observe(this.#fromCreation, { phase }, created, reached);
    observe(this.#betweenPhases, labels, Number.isNaN(left) ? created : left, reached);
    if (phase === 'Succeeded' || phase === 'Failed') observe(this.#fromDeletion, { phase }, deleted, reached);
  }

  onMigration(migration: VirtualMachineInstanceMigration, before: VirtualMachineInstanceMigration): void {
    const phase = migration.status?.phase ?? '';
    if (phase === (before.status?.phase ?? '')) return;
    const reached = timeOf(migration, phase);
    observe(this.#migration, { phase }, Date.parse(migration.metadata?.creationTimestamp ?? ''), reached);
  }

  families(): readonly MetricFamily[] {
    return [this.#betweenPhases, this.#fromCreation, this.#fromDeletion, this.#migration, this.#created].map(
      (meter) => meter.family(),
    );
  }
}

function timeOf({ status }: VirtualMachineInstance | VirtualMachineInstanceMigration, phase: string): number {
  const found = status?.phaseTransitionTimestamps?.find((entry) => entry.phase === phase);
  return Date.parse(found?.phaseTransitionTimestamp ?? '');
}

function observe(
  histogram: Histogram,
  labels: Readonly<Record<string, string>>,
  fromMs: number,
  toMs: number,
): void {
  // Times of another machine may run backwards; such a duration is worth nothing.
  if (toMs >= fromMs) histogram.observe(labels, (toMs - fromMs) / 1000);
}
