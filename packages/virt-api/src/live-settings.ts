/**
 * What virt-api follows live: the KubeVirt object, presets, and whom the API server's front proxy is. All
 * three are small; everything else is read when a request needs it.
 */
import type { ClusterConfig, VirtualMachineInstancePreset } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { defineResource, Informer, type KubeClient, type Log, resources, LiveConfig } from '@podvisor/kube';
import { type FrontProxyConfig, parseFrontProxyConfig } from './access/front-proxy.ts';

const presets = defineResource<VirtualMachineInstancePreset>(
  'VirtualMachineInstancePreset',
  'virtualmachineinstancepresets',
  'kubevirt.io/v1',
);

export interface LiveSettingsOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly log: Log;
  /** The configuration changed. */
  onConfig?(config: ClusterConfig): void;
  /** The front proxy's CA or names changed. */
  onFrontProxy(): void;
}

export class LiveSettings {
  readonly #options: LiveSettingsOptions;
  readonly #presets: Informer<VirtualMachineInstancePreset>;
  readonly #config: LiveConfig;
  #frontProxy: FrontProxyConfig | undefined;

  constructor(options: LiveSettingsOptions) {
    this.#options = options;
    this.#config = new LiveConfig(options.log, options.onConfig);
    this.#presets = new Informer({
      client: options.client,
      log: options.log,
      resource: presets,
      indexers: { namespace: (preset) => [preset.metadata?.namespace ?? ''] },
    });
  }

  get config(): ClusterConfig {
    return this.#config.current;
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
      add: (object) => this.#config.observe(object),
      update: (object) => this.#config.observe(object),
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
