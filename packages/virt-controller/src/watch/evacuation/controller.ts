/** Makes migrations for the guests that have to leave a node. Keys are node names. */
import {
  type ClusterConfig,
  type Node,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { type Expectations, type ReconcileResult, type ControllerSteps } from '@podvisor/kube';
import { type MakeContext, makeMigration } from '../migration/make.ts';
import { placeOf } from '../migration/status.ts';
import { type EvacuationPlan, type EvacuationView, planEvacuation } from './plan.ts';

export interface EvacuationOptions extends MakeContext {
  readonly expectations: Expectations;
  node(name: string): Node | undefined;
  vmisOn(nodeName: string): readonly VirtualMachineInstance[];
  /** Those of the cluster that have not ended. */
  openMigrations(): readonly VirtualMachineInstanceMigration[];
  migrationsOf(vmi: VirtualMachineInstance): readonly VirtualMachineInstanceMigration[];
  config(): ClusterConfig;
}

/** Something that keeps a guest from leaving may end without an event of ours. */
const RECHECK_MS = 30_000;

export class EvacuationController implements ControllerSteps<EvacuationView, EvacuationPlan> {
  readonly #options: EvacuationOptions;
  /** UIDs of guests that were told that they cannot leave. */
  readonly #told = new Set<string>();

  constructor(options: EvacuationOptions) {
    this.#options = options;
  }

  observe(nodeName: string): EvacuationView | undefined {
    const { config, expectations, openMigrations, migrationsOf, node: find, vmisOn } = this.#options;
    const node = find(nodeName);
    if (node === undefined) return undefined;
    const active = openMigrations().filter(({ status }) => placeOf(status?.phase) > placeOf('Pending'));
    return {
      node,
      vmis: vmisOn(nodeName),
      migrationsOf,
      isAskedFor: ({ metadata }) => !expectations.satisfied(metadata?.uid ?? ''),
      activeInCluster: active.length,
      config: config(),
    };
  }

  plan(view: EvacuationView): EvacuationPlan {
    return planEvacuation(view);
  }

  async apply(
    { migrate, stuck }: EvacuationPlan,
    { node }: EvacuationView,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { recorder } = this.#options;
    for (const vmi of stuck) {
      const uid = vmi.metadata?.uid ?? '';
      if (this.#told.has(uid)) continue;
      this.#told.add(uid);
      const message = `VirtualMachineInstance has to leave node ${node.metadata.name} and is not migratable; stop it, or make it migratable`;
      recorder.event(vmi, 'Warning', 'FailedCreate', message);
    }
    for (const request of migrate) {
      this.#told.delete(request.vmi.metadata?.uid ?? '');
      await makeMigration(request, this.#options, signal);
    }
    return migrate.length > 0 || stuck.length > 0 ? { requeueAfterMs: RECHECK_MS } : undefined;
  }

  /** The VMI is gone. */
  forget({ metadata }: VirtualMachineInstance): void {
    this.#told.delete(metadata?.uid ?? '');
  }
}
