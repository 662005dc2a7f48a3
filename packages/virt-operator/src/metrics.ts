/** What virt-operator tells of itself, by KubeVirt's names. */
import { CONTROLLER_METRICS as M } from '@podvisor/api';
import type { MetricFamily } from '@podvisor/base';
import { ClientMetrics, processFamilies, QueueMetrics } from '@podvisor/kube';

export class Metrics {
  readonly client = new ClientMetrics();
  readonly queues = new QueueMetrics();
  /** This one of the replicas keeps the installation. */
  leading = false;

  families(): readonly MetricFamily[] {
    return [
      { definition: M.virtOperatorLeadingStatus, samples: [{ value: this.leading ? 1 : 0 }] },
      { definition: M.virtOperatorReadyStatus, samples: [{ value: this.client.isAnswered ? 1 : 0 }] },
      ...processFamilies({}),
      ...this.client.families(),
      ...this.queues.families(),
    ];
  }
}
