/**
 * What virt-api follows live: the KubeVirt object, presets, and whom the API server's front proxy is. All
 * three are small; everything else is read when a request needs it.
 */
import {
  type ClusterConfig,
  clusterConfig,
  type KubeVirt,
  type VirtualMachineInstancePreset,
} from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { defineResource, Informer, type KubeClient, type Log, resources } from '@podvisor/kube';
import { type FrontProxyConfig, parseFrontProxyConfig } from './access/front-proxy.ts';

const presets = defineResource<VirtualMachineInstancePreset>(
  'VirtualMachineInstancePreset',
  'virtualmachineinstancepresets',
  'kubevirt.io/v1',
);

export interface LiveConfigOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly log: Log;
  /** The configuration changed. */
  onConfig?(config: ClusterConfig): void;
  /** The front proxy's CA or names changed. */
  onFrontProxy(): void;
}

export class LiveConfig {
  readonly #options: LiveConfigOptions;
  readonly #presets: Informer<VirtualMachineInstancePreset>;
  #config: ClusterConfig = clusterConfig();
  #frontProxy: FrontProxyConfig | undefined;

  constructor(options: LiveConfigOptions) {
    this.#options = options;
    this.#presets = new Informer({
      client: options.client,
      log: options.log,
      resource: presets,
      indexers: { namespace: (preset) => [preset.metadata?.namespace ?? ''] },
    });
  }

  get config(): ClusterConfig {
    return this.#config;
  }

  get frontProxy(): FrontProxyConfig | undefined {
    return this.#frontProxy;
  }

  presets(namespace: string): readonly VirtualMachineInstancePreset[] {
    return this.#presets.byIndex('namespace', namespace);
  }

  /** Starts to follow; resolves when everything was read once. */
  async start(signal: AbortSignal): Promise<void> {
    const { client, log, namespace } = this.#options;
    const kubeVirts = new Informer({ client, log, resource: resources.kubeVirts, namespace });
    kubeVirts.on({
      add: (object) => this.#observeKubeVirt(object),
      update: (object) => this.#observeKubeVirt(object),
    });
    const authentication = new Informer({
      client,
      log,
      resource: resources.configMaps,
      namespace: 'kube-system',
      fieldSelector: 'metadata.name=extension-apiserver-authentication',
    });
    const observe = (object: { readonly data?: Readonly<Record<string, string>> }): void =>
      this.#observeFrontProxy(object.data ?? {});
    authentication.on({ add: observe, update: observe });
    const informers = [kubeVirts, authentication, this.#presets];
    for (const informer of informers) informer.start(signal);
    await Promise.all(informers.map((informer) => informer.synced()));
  }

  /** Configuration counts once the object's status has a phase; one that cannot be read changes nothing. */
  #observeKubeVirt(kubevirt: KubeVirt): void {
    if ((kubevirt.status?.phase ?? '') === '') return;
    try {
      this.#config = clusterConfig(kubevirt);
      this.#options.onConfig?.(this.#config);
    } catch (error) {
      this.#options.log.warn(
        { error: messageOf(error) },
        'KubeVirt configuration cannot be read, keeping the last one',
      );
    }
  }

  #observeFrontProxy(data: Readonly<Record<string, string>>): void {
    try {
      this.#frontProxy = parseFrontProxyConfig(data);
      this.#options.onFrontProxy();
    } catch (error) {
      this.#options.log.warn(
        { error: messageOf(error) },
        'front-proxy settings cannot be read, keeping the last ones',
      );
    }
  }
}
