/**
 * Which guests leave a node now: those that an eviction marked (`status.evacuationNodeName`), and on a node with the
 * drain taint all that have a strategy for it. Pure.
 */
import {
  annotations,
  type ClusterConfig,
  type Node,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { hasCondition } from '../conditions.ts';
import { hasOpenMigration, type MigrationRequest } from '../migration/make.ts';
import { isDeleting } from '../migration/facts.ts';

type Vmi = VirtualMachineInstance;
type Migration = VirtualMachineInstanceMigration;

export interface EvacuationView {
  readonly node: Node;
  /** VMIs on the node. */
  readonly vmis: readonly Vmi[];
  migrationsOf(vmi: Vmi): readonly Migration[];
  /** A migration of the VMI was asked for and is not in the cache yet. */
  isAskedFor(vmi: Vmi): boolean;
  /** Migrations that have a target Pod, in the whole cluster. */
  readonly activeInCluster: number;
  readonly config: ClusterConfig;
}

export interface EvacuationPlan {
  readonly migrate: readonly MigrationRequest[];
  /** Guests that should leave and cannot. */
  readonly stuck: readonly Vmi[];
}

export function planEvacuation(view: EvacuationView): EvacuationPlan {
  const { config, vmis } = view;
  const leaving = vmis.filter(
    (vmi) => vmi.status?.phase === 'Running' && !isDeleting(vmi) && mustLeave(vmi, view),
  );
  const moving = leaving.filter((vmi) => view.isAskedFor(vmi) || hasOpenMigration(view.migrationsOf(vmi)));
  const waiting = leaving.filter((vmi) => !moving.includes(vmi));
  const movable = waiting.filter((vmi) => hasCondition(vmi.status?.conditions, 'LiveMigratable', 'True'));
  const { parallelMigrationsPerCluster, parallelOutboundMigrationsPerNode } = config.migrations;
  const onTheWay = vmis.filter(
    (vmi) => view.isAskedFor(vmi) || hasOpenMigration(view.migrationsOf(vmi)),
  ).length;
  const free = Math.min(
    parallelMigrationsPerCluster - view.activeInCluster,
    parallelOutboundMigrationsPerNode - onTheWay,
  );
  return {
    migrate: movable.slice(0, Math.max(0, free)).map((vmi) => requestFor(vmi, view.node.metadata.name ?? '')),
    // The VM controller hibernates what has that strategy and cannot move.
    stuck: waiting.filter(
      (vmi) => !movable.includes(vmi) && strategyOf(vmi, config) !== 'HibernateIfNotMigratable',
    ),
  };
}

function mustLeave(vmi: Vmi, { node, config }: EvacuationView): boolean {
  const strategy = strategyOf(vmi, config);
  // Somebody else sees to these.
  if (strategy === 'External') return false;
  if (vmi.status?.evacuationNodeName === node.metadata.name) return true;
  return isDrained(node, config) && LEAVING.has(strategy);
}

const LEAVING = new Set(['LiveMigrate', 'LiveMigrateIfPossible', 'HibernateIfNotMigratable']);

function strategyOf(vmi: Vmi, config: ClusterConfig): string {
  return vmi.spec.evictionStrategy ?? config.evictionStrategy;
}

/** The node has the taint that makes guests leave. */
function isDrained({ spec }: Node, { migrations }: ClusterConfig): boolean {
  return (spec?.taints ?? []).some(
    ({ key, effect }) => key === migrations.nodeDrainTaintKey && effect === 'NoSchedule',
  );
}

function requestFor(vmi: Vmi, node: string): MigrationRequest {
  const source = vmi.metadata?.annotations?.[annotations.evictionSource];
  return {
    vmi,
    generateName: 'kubevirt-evacuation-',
    annotations: { [annotations.evacuationMigration]: node },
    priority: source === 'descheduler' ? 'system-maintenance' : 'system-critical',
  };
}
