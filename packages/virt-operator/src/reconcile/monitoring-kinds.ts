/**
 * Which kinds of the Prometheus operator the cluster has: it may be installed after us, and taken away again. Followed
 * by the definitions of the two kinds that we make objects of.
 */
import type { KubernetesObject } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { Informer, type KubeClient, type Log, resources } from '@podvisor/kube';
import type { Monitoring } from '../install/settings.ts';

type Kind = Monitoring['kinds'][number];

const DEFINITIONS: Readonly<Record<Kind, string>> = {
  ServiceMonitor: 'servicemonitors.monitoring.coreos.com',
  PrometheusRule: 'prometheusrules.monitoring.coreos.com',
};
const KINDS: readonly Kind[] = ['ServiceMonitor', 'PrometheusRule'];

export class MonitoringKinds {
  readonly #definitions: ReadonlyMap<Kind, Informer<KubernetesObject>>;
  #changed = new AbortController();

  constructor({ client, clock, log }: { client: KubeClient; clock: Clock; log: Log }) {
    this.#definitions = new Map(
      KINDS.map((kind) => {
        const fieldSelector = `metadata.name=${DEFINITIONS[kind]}`;
        const resource = resources.customResourceDefinitions;
        return [kind, new Informer({ client, resource, fieldSelector, clock, log })];
      }),
    );
  }

  /** Resolves when it is known which there are. */
  async start(signal: AbortSignal): Promise<void> {
    for (const informer of this.#definitions.values()) informer.start(signal);
    await Promise.all([...this.#definitions.values()].map((informer) => informer.synced()));
    let told = String(this.kinds);
    const look = (): void => {
      if (told === String(this.kinds)) return;
      told = String(this.kinds);
      this.#changed.abort();
      this.#changed = new AbortController();
    };
    for (const informer of this.#definitions.values()) informer.on({ add: look, update: look, delete: look });
  }

  /** Those that are served now. */
  get kinds(): Monitoring['kinds'] {
    return KINDS.filter((kind) => this.#definitions.get(kind)?.list().some(isEstablished) === true);
  }

  /** Aborts when `kinds` is another. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }
}

/** A definition that was just made has `null` for conditions. */
function isEstablished(definition: KubernetesObject & { readonly status?: unknown }): boolean {
  const { conditions } = (definition.status ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null;
  };
  return conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
}
