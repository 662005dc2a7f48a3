/** All metrics of virt-controller, by KubeVirt's names. Most are read from the caches when somebody asks. */
import {
  ALL_METRICS,
  API_VERSION,
  CONTROLLER_METRICS as M,
  type VirtualMachineSnapshot,
} from '@podvisor/api';
import { type Clock, type MetricFamily, systemClock } from '@podvisor/base';
import { ClientMetrics, type Informer, processFamilies, QueueMetrics } from '@podvisor/kube';
import { ownPodsOf, type Caches } from '../caches.ts';
import type { EndedOperation } from '../trace/operation-spans.ts';
import { Handoffs } from './handoffs.ts';
import { OperationTimes } from './operation-times.ts';
import { riskFamilies } from './risk-metrics.ts';
import { snapshotFamily } from './snapshot-metrics.ts';
import { Transitions } from './transitions.ts';
import { vmFamilies } from './vm-metrics.ts';
import { migrationFamilies, vmiFamilies } from './vmi-metrics.ts';

export interface MetricsOptions {
  /** Those that it serves with, PEM by name. */
  readonly certificates?: () => Readonly<Record<string, string>>;
  /** virt-operator tells its own; absent: its work is ours, and so are its metrics. */
  readonly withOperator?: boolean;
  readonly clock?: Clock;
  /** Hears of operations that ended, with their handoffs. */
  readonly onEnded?: (ended: EndedOperation) => void;
}

export class Metrics {
  readonly client = new ClientMetrics();
  readonly queues = new QueueMetrics();
  readonly #handoffs: Handoffs;
  readonly #times: OperationTimes;
  readonly #transitions = new Transitions();
  readonly #certificates: () => Readonly<Record<string, string>>;
  readonly #withOperator: boolean;
  #caches: Caches | undefined;
  #snapshots: Pick<Informer<VirtualMachineSnapshot>, 'list'> | undefined;

  constructor({ certificates, clock = systemClock, onEnded, withOperator }: MetricsOptions = {}) {
    this.#withOperator = withOperator ?? false;
    this.#certificates = certificates ?? (() => ({}));
    this.#times = new OperationTimes(clock, onEnded);
    this.#handoffs = new Handoffs(this.#times);
  }

  /** The controllers run on these caches. */
  lead(caches: Caches): void {
    this.#caches = caches;
    this.#transitions.follow(caches);
    this.#handoffs.follow(caches);
  }

  /** Snapshots have a cache of their own. */
  followSnapshots(snapshots: Informer<VirtualMachineSnapshot>): void {
    this.#snapshots = snapshots;
    this.#handoffs.followSnapshots(snapshots);
  }

  families(): readonly MetricFamily[] {
    const caches = this.#caches;
    const leading = [{ value: caches === undefined ? 0 : 1 }];
    const ready = [{ value: this.client.isAnswered ? 1 : 0 }];
    return [
      {
        definition: ALL_METRICS.info,
        samples: [{ labels: { goversion: 'none', kubeversion: API_VERSION }, value: 1 }],
      },
      { definition: M.virtControllerLeadingStatus, samples: leading },
      { definition: M.virtControllerReadyStatus, samples: ready },
      ...(this.#withOperator
        ? []
        : [
            { definition: M.virtOperatorLeadingStatus, samples: leading },
            { definition: M.virtOperatorReadyStatus, samples: ready },
          ]),
      ...vmFamilies(caches?.vms.list() ?? [], (namespace, name) =>
        caches?.claims.get(`${namespace}/${name}`),
      ),
      ...vmiFamilies(caches?.vmis.list() ?? [], (vmi) =>
        caches === undefined ? [] : ownPodsOf(caches, vmi),
      ),
      ...migrationFamilies(caches?.migrations.list() ?? []),
      ...riskFamilies(caches?.vmis.list() ?? [], caches?.leases.list() ?? []),
      snapshotFamily(this.#snapshots?.list() ?? []),
      ...this.#transitions.families(),
      ...this.#times.families(),
      ...processFamilies(this.#certificates()),
      ...this.client.families(),
      ...this.queues.families(),
    ];
  }
}
