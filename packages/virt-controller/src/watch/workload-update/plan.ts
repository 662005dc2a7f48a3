/**
 * Running guests that have to move or end so that a change reaches them: a new launcher, more CPUs or memory, a NIC
 * that only a new Pod can have, disks on other claims. Pure. Which methods may be used is the user's choice
 * (`spec.workloadUpdateStrategy`); without LiveMigrate such changes wait.
 */
import { goDurationMs } from '@podvisor/base';
import {
  annotations,
  type KubeVirt,
  labels,
  type MigrationDefaults,
  movesVolumes,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { hasCondition } from '../conditions.ts';
import { isDeleting, waitsForMigration } from '../migration/facts.ts';
import { hasOpenMigration, type MigrationRequest } from '../migration/make.ts';

type Vmi = VirtualMachineInstance;

export interface WorkloadView {
  readonly kubevirt: KubeVirt;
  readonly vmis: readonly Vmi[];
  readonly launcherImage: string;
  migrationsOf(vmi: Vmi): readonly VirtualMachineInstanceMigration[];
  /** A migration or an eviction of the VMI was asked for and does not show yet. */
  isAskedFor(vmi: Vmi): boolean;
  /** Migrations of the whole cluster that have not ended. */
  readonly openMigrations: number;
  readonly limits: MigrationDefaults;
  /** When the last batch of evictions began; undefined: none has. */
  readonly lastBatchMs: number | undefined;
  readonly nowMs: number;
}

export interface WorkloadPlan {
  /** VMIs whose label `outdatedLauncherImage` is wrong, and what it should be. */
  readonly relabel: readonly { readonly vmi: Vmi; readonly outdated: boolean }[];
  readonly migrate: readonly MigrationRequest[];
  readonly evict: readonly Vmi[];
  /** Guests in an older launcher, for the KubeVirt object's status. */
  readonly outdated: number;
  /** More evictions are due then. */
  readonly requeueAfterMs?: number;
}

const BATCH_SIZE = 10;
const BATCH_INTERVAL_MS = 60_000;

export function planWorkloads(view: WorkloadView): WorkloadPlan {
  const { kubevirt, launcherImage, openMigrations, limits } = view;
  const running = view.vmis.filter((vmi) => vmi.status?.phase === 'Running' && !isDeleting(vmi));
  const outdated = running.filter((vmi) => isOutdated(vmi, launcherImage));
  const relabel = running
    .map((vmi) => ({ vmi, outdated: outdated.includes(vmi) }))
    .filter((one) => one.outdated !== labels.outdatedLauncherImage in (one.vmi.metadata?.labels ?? {}));
  const base = { relabel, outdated: outdated.length };
  const methods = kubevirt.spec?.workloadUpdateStrategy?.workloadUpdateMethods ?? [];
  // While the installation itself changes, nothing is moved: the next launcher may come at any moment.
  if (kubevirt.status?.phase !== 'Deployed') return { ...base, migrate: [], evict: [] };
  const free = running.filter((vmi) => !view.isAskedFor(vmi) && !hasOpenMigration(view.migrationsOf(vmi)));
  const movable = (vmi: Vmi): boolean =>
    methods.includes('LiveMigrate') && hasCondition(vmi.status?.conditions, 'LiveMigratable', 'True');
  const slots = Math.max(0, limits.parallelMigrationsPerCluster - openMigrations);
  const migrate = free
    .filter((vmi) => movable(vmi) && (waitsForMigration(vmi) || outdated.includes(vmi)))
    // What a person changed goes before what we changed.
    .toSorted((a, b) => Number(waitsForMigration(b)) - Number(waitsForMigration(a)))
    .slice(0, slots)
    .map(requestFor);
  const evictable = methods.includes('Evict')
    ? free.filter((vmi) => outdated.includes(vmi) && !movable(vmi))
    : [];
  return { ...base, migrate, ...nextBatch(evictable, view) };
}

/** One batch at a time, with a pause between two. */
function nextBatch(
  evictable: readonly Vmi[],
  view: WorkloadView,
): Pick<WorkloadPlan, 'evict' | 'requeueAfterMs'> {
  if (evictable.length === 0) return { evict: [] };
  const { batchEvictionSize = BATCH_SIZE, batchEvictionInterval } =
    view.kubevirt.spec?.workloadUpdateStrategy ?? {};
  const intervalMs = goDurationMs(batchEvictionInterval) ?? BATCH_INTERVAL_MS;
  const leftMs = view.lastBatchMs === undefined ? 0 : view.lastBatchMs + intervalMs - view.nowMs;
  if (leftMs > 0) return { evict: [], requeueAfterMs: leftMs };
  const evict = evictable.slice(0, batchEvictionSize);
  return evict.length < evictable.length ? { evict, requeueAfterMs: intervalMs } : { evict };
}

/** The guest runs in another launcher than a new one would. */
function isOutdated({ status }: Vmi, launcherImage: string): boolean {
  const image = status?.launcherContainerImageVersion ?? '';
  return image !== '' && image !== launcherImage;
}

function requestFor(vmi: Vmi): MigrationRequest {
  return {
    vmi,
    generateName: 'kubevirt-workload-update-',
    annotations: { [annotations.workloadUpdateMigration]: '' },
    ...(movesVolumes(vmi) ? { labels: { [labels.volumesUpdateMigration]: labelValue(vmi) } } : {}),
    priority: waitsForMigration(vmi) ? 'user-triggered' : 'system-maintenance',
  };
}

/** A label holds 63 characters. */
function labelValue({ metadata }: Vmi): string {
  const { name = '', uid = '' } = metadata ?? {};
  return name.length > 63 ? uid : name;
}
