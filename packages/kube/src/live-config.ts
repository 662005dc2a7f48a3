/**
 * The cluster's configuration, followed live. The KubeVirt object counts only once its status has a phase,
 * and one that cannot be read keeps the last good configuration.
 */
import { type ClusterConfig, clusterConfig, type KubeVirt } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { Log } from './log.ts';

export class LiveConfig {
  readonly #log: Log;
  #current: ClusterConfig = clusterConfig();

  readonly #onChange: ((config: ClusterConfig) => void) | undefined;

  constructor(log: Log, onChange?: (config: ClusterConfig) => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  get current(): ClusterConfig {
    return this.#current;
  }

  observe(kubevirt: KubeVirt): void {
    if ((kubevirt.status?.phase ?? '') === '') return;
    try {
      this.#current = clusterConfig(kubevirt);
      this.#onChange?.(this.#current);
    } catch (error) {
      this.#log.warn(
        { error: messageOf(error) },
        'KubeVirt configuration cannot be read, keeping the last one',
      );
    }
  }
}
