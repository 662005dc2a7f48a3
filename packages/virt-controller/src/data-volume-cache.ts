/**
 * DataVolumes, if the cluster serves them. Their CRD may come and go while we run: the cache follows the
 * CRD and has nothing to say while it is absent.
 */
import { Informer, type ListWatcher, type Log } from '@podvisor/kube';
import { type Crd, crds, DATA_VOLUME_CRD, type DataVolume, dataVolumes } from './resources.ts';

export class DataVolumeCache {
  readonly #client: ListWatcher;
  readonly #log: Log;
  readonly #crds: Informer<Crd>;
  readonly #listeners: ((object: DataVolume) => void)[] = [];
  #current: { readonly informer: Informer<DataVolume>; readonly stop: AbortController } | undefined;

  constructor(client: ListWatcher, log: Log) {
    this.#client = client;
    this.#log = log;
    this.#crds = new Informer({
      client,
      log,
      resource: crds,
      fieldSelector: `metadata.name=${DATA_VOLUME_CRD}`,
    });
  }

  /** Calls `listener` with every DataVolume that appears, changes or goes. */
  on(listener: (object: DataVolume) => void): void {
    this.#listeners.push(listener);
  }

  start(signal: AbortSignal): void {
    const follow = (crd: Crd): void => (isEstablished(crd) ? this.#open(signal) : this.#close());
    this.#crds.on({ add: follow, update: follow, delete: () => this.#close() });
    this.#crds.start(signal);
    signal.addEventListener('abort', () => this.#close(), { once: true });
  }

  /** Resolves when it is known whether DataVolumes are served and, if so, which there are. */
  async synced(): Promise<void> {
    await this.#crds.synced();
    await this.#current?.informer.synced();
  }

  /** False when the cluster does not serve DataVolumes. */
  get served(): boolean {
    return this.#current !== undefined;
  }

  get(namespace: string, name: string): DataVolume | undefined {
    return this.#current?.informer.get(`${namespace}/${name}`);
  }

  #open(signal: AbortSignal): void {
    if (this.#current !== undefined) return;
    const stop = new AbortController();
    const informer = new Informer({ client: this.#client, log: this.#log, resource: dataVolumes });
    const tell = (object: DataVolume): void => this.#listeners.forEach((listener) => listener(object));
    informer.on({ add: tell, update: tell, delete: tell });
    informer.start(AbortSignal.any([signal, stop.signal]));
    this.#current = { informer, stop };
  }

  #close(): void {
    this.#current?.stop.abort(new Error('DataVolumes are not served any more'));
    this.#current = undefined;
  }
}

function isEstablished(crd: Crd): boolean {
  return crd.status?.conditions?.some((c) => c.type === 'Established' && c.status === 'True') ?? false;
}
