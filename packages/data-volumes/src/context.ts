/** What the controllers of DataVolumes work with: a client, caches that somebody starts, and the image of workers. */
import type {
  DataSource,
  DataVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  StorageProfile,
  VolumeSnapshot,
} from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { Informer, KubeClient, Log } from '@podvisor/kube';
import type { WorkerImage } from './worker-pod.ts';

export interface DataVolumesContext {
  readonly client: KubeClient;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly classes: Informer<StorageClass>;
  /** Indexed by `namespace`. */
  readonly pods: Informer<Pod>;
  readonly dataVolumes: Informer<DataVolume>;
  readonly dataSources: Informer<DataSource>;
  readonly profiles: Informer<StorageProfile>;
  /** Empty for ever on a cluster without snapshots. */
  readonly snapshots: Informer<VolumeSnapshot>;
  readonly worker: WorkerImage;
  readonly clock: Clock;
  readonly log: Log;
}
