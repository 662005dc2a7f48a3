/** All metrics of virt-handler, by KubeVirt's names. The guests' are asked of their launchers at each scrape. */
import { ALL_METRICS, API_VERSION, HANDLER_METRICS as M, type VirtualMachineInstance } from '@podvisor/api';
import { Meter, type MetricDefinition, type MetricFamily, type Sample } from '@podvisor/base';
import { ClientMetrics, QueueMetrics } from '@podvisor/kube';
import type { LauncherConnection } from '../launcher-client/connection.ts';
import { DOMAIN_DEFINITIONS, type DomainNames, type DomainSample, domainSamples } from './domain-metrics.ts';

/** A VMI of this node whose launcher answers. */
export interface MeasuredVmi {
  readonly vmi: VirtualMachineInstance;
  readonly connection: Pick<LauncherConnection, 'ask'>;
  /** TAP device → name of the interface. */
  readonly taps: Readonly<Record<string, string>>;
}

export interface MetricsSource {
  readonly nodeName: string;
  measured(): readonly MeasuredVmi[];
  emulationAllowed(): boolean;
  deprecatedMachineTypes(): readonly string[];
}

/** A launcher that does not answer in time is left out of this scrape. */
const ASK_MS = 3_000;
export class Metrics {
  readonly client = new ClientMetrics();
  readonly queues = new QueueMetrics();
  readonly #syncs = new Meter(M.vmiSyncTotal);
  readonly #panics = new Meter(M.vmiGuestOsPanicTotal);
  #source: MetricsSource | undefined;

  /** From now on VMIs are followed. */
  serve(source: MetricsSource): void {
    this.#source = source;
  }

  synced({ metadata }: VirtualMachineInstance): void {
    this.#syncs.add(this.#labels(metadata?.namespace, metadata?.name));
  }

  panicked({ metadata }: VirtualMachineInstance): void {
    this.#panics.add(this.#labels(metadata?.namespace, metadata?.name));
  }

  forget(namespace: string, name: string): void {
    this.#syncs.remove(this.#labels(namespace, name));
    this.#panics.remove(this.#labels(namespace, name));
  }

  async families(): Promise<readonly MetricFamily[]> {
    const source = this.#source;
    const samples = (await Promise.all((source?.measured() ?? []).map((one) => this.#ask(one)))).flat();
    const of = (definition: MetricDefinition): readonly Sample[] =>
      samples.flatMap(([own, sample]) => (own === definition ? [sample] : []));
    const nodeName = source?.nodeName ?? '';
    return [
      {
        definition: ALL_METRICS.info,
        samples: [{ labels: { goversion: 'none', kubeversion: API_VERSION }, value: 1 }],
      },
      { definition: M.virtHandlerReadyStatus, samples: [{ value: source === undefined ? 0 : 1 }] },
      {
        definition: M.configurationEmulationEnabled,
        samples: [{ value: source?.emulationAllowed() === true ? 1 : 0 }],
      },
      {
        definition: M.nodeDeprecatedMachineTypes,
        samples: (source?.deprecatedMachineTypes() ?? []).map((machine) => ({
          labels: { node: nodeName, machine_type: machine },
          value: 1,
        })),
      },
      ...DOMAIN_DEFINITIONS.map((definition) => ({ definition, samples: of(definition) })),
      this.#syncs.family(),
      this.#panics.family(),
      ...this.client.families(),
      ...this.queues.families(),
    ];
  }

  async #ask({ vmi, connection, taps }: MeasuredVmi): Promise<readonly DomainSample[]> {
    try {
      const text = await connection.ask('getDomainStats', AbortSignal.timeout(ASK_MS));
      const stats: unknown = JSON.parse(text);
      if (typeof stats !== 'object' || stats === null) return [];
      return domainSamples(stats as Readonly<Record<string, unknown>>, this.#names(vmi, taps));
    } catch {
      return []; // starting, ending or lost: no numbers are better than old ones
    }
  }

  #names({ metadata, status }: VirtualMachineInstance, taps: Readonly<Record<string, string>>): DomainNames {
    const drives = new Map((status?.volumeStatus ?? []).map(({ target, name }) => [target, name]));
    const own = Object.entries(metadata?.labels ?? {}).map(
      ([key, value]) => [`kubernetes_vmi_label_${key.replaceAll(/[^A-Za-z0-9_]/g, '_')}`, value] as const,
    );
    return {
      labels: { ...this.#labels(metadata?.namespace, metadata?.name), ...Object.fromEntries(own) },
      interfaceOf: (tap) => taps[tap] ?? tap,
      driveOf: (target) => drives.get(target) ?? target,
    };
  }

  #labels(namespace = '', name = ''): Readonly<Record<string, string>> {
    return { node: this.#source?.nodeName ?? '', namespace, name };
  }
}
