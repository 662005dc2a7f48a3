/** What every controller of the embedded home is given; beside it come the caches that it reads. */
import type { Clock } from '@podvisor/base';
import type { KubeClient, Log } from '@podvisor/kube';

export interface ControllerOptions {
  /** Acts as the controller's own service account. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
}
