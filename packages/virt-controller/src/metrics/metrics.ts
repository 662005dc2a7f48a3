/** All metrics of virt-controller, by KubeVirt's names. Most are read from the caches when somebody asks. */
import { ALL_METRICS, API_VERSION, CONTROLLER_METRICS as M } from '@podvisor/api';
import type { MetricFamily } from '@podvisor/base';
import { ClientMetrics, QueueMetrics } from '@podvisor/kube';
import { ownPodsOf, type Caches } from '../caches.ts';
import { Transitions } from './transitions.ts';
import { vmFamilies } from './vm-metrics.ts';
import { migrationFamilies, vmiFamilies } from './vmi-metrics.ts';

export class Metrics {
  readonly client = new ClientMetrics();
  readonly queues = new QueueMetrics();
  readonly #transitions = new Transitions();
  #caches: Caches | undefined;

  /** The controllers run on these caches. */
  lead(caches: Caches): void {
    this.#caches = caches;
    this.#transitions.follow(caches);
  }

  families(): readonly MetricFamily[] {
    const caches = this.#caches;
    const leading = [{ value: caches === undefined ? 0 : 1 }];
    const ready = [{ value: 1 }];
    return [
      {
        definition: ALL_METRICS.info,
        samples: [{ labels: { goversion: 'none', kubeversion: API_VERSION }, value: 1 }],
      },
      { definition: M.virtControllerLeadingStatus, samples: leading },
      { definition: M.virtControllerReadyStatus, samples: ready },
      { definition: M.virtOperatorLeadingStatus, samples: leading },
      { definition: M.virtOperatorReadyStatus, samples: ready },
      ...vmFamilies(caches?.vms.list() ?? [], (namespace, name) =>
        caches?.claims.get(`${namespace}/${name}`),
      ),
      ...vmiFamilies(caches?.vmis.list() ?? [], (vmi) =>
        caches === undefined ? [] : ownPodsOf(caches, vmi),
      ),
      ...migrationFamilies(caches?.migrations.list() ?? []),
      // Snapshots report their own times once their controller keeps a cache of them.
      ...this.#transitions.families(),
      ...this.client.families(),
      ...this.queues.families(),
    ];
  }
}
