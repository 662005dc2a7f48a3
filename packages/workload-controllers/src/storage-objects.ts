/**
 * Caches of the storage kinds that come as CRDs: snapshots and DataVolumes. They are on their own, because
 * they are served only after the embedded home is installed: nothing waits for them to start.
 */
import type {
  DataSource,
  DataVolume,
  KubernetesObject,
  VolumeSnapshot,
  VolumeSnapshotClass,
  VolumeSnapshotContent,
} from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { Informer, type ListWatcher, type Log, type Resource, resources } from '@podvisor/kube';

export interface StorageObjectsOptions {
  readonly client: ListWatcher;
  readonly clock: Clock;
  readonly log: Log;
}

/** A fresh home installs its kinds within a second: until then a list finds nothing to list. */
const BACKOFF = { firstMs: 50, maxMs: 2000 };

export class StorageObjects {
  readonly snapshots: Informer<VolumeSnapshot>;
  readonly contents: Informer<VolumeSnapshotContent>;
  readonly classes: Informer<VolumeSnapshotClass>;
  readonly dataVolumes: Informer<DataVolume>;
  readonly dataSources: Informer<DataSource>;
  readonly #all: Informer<KubernetesObject>[] = [];

  constructor(options: StorageObjectsOptions) {
    const informer = <T extends KubernetesObject>(resource: Resource<T>): Informer<T> => {
      const made = new Informer<T>({ ...options, log: quiet(options.log), resource, backoff: BACKOFF });
      this.#all.push(made as unknown as Informer<KubernetesObject>);
      return made;
    };
    this.snapshots = informer(resources.volumeSnapshots);
    this.contents = informer(resources.volumeSnapshotContents);
    this.classes = informer(resources.volumeSnapshotClasses);
    this.dataVolumes = informer(resources.dataVolumes);
    this.dataSources = informer(resources.dataSources);
  }

  start(signal: AbortSignal): void {
    for (const informer of this.#all) informer.start(signal);
  }

  /** Calls `listener` whenever an object that may feed a claim appears or changes. */
  onChange(listener: () => void): void {
    for (const informer of [this.snapshots, this.contents, this.dataVolumes, this.dataSources])
      informer.on({ add: listener, update: listener, delete: listener });
  }
}

/** Kinds that are not served yet are no news. */
function quiet(log: Log): Log {
  return { ...log, info: log.info.bind(log), error: log.error.bind(log), warn: () => undefined };
}
