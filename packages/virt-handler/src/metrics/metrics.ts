/** All metrics of virt-handler, by KubeVirt's names. The guests' are read from their QEMUs at each scrape. */
import {
  ALL_METRICS,
  API_VERSION,
  type DomainState,
  HANDLER_METRICS as M,
  NODE_METRICS,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { Histogram, Meter, type MetricDefinition, type MetricFamily, type Sample } from '@podvisor/base';
import { ClientMetrics, processFamilies, QueueMetrics } from '@podvisor/kube';
import type { LauncherConnection } from '../launcher-client/connection.ts';
import type { QemuNumbers } from '../qemu-numbers/qemu-numbers.ts';
import {
  DOMAIN_DEFINITIONS,
  type DomainNames,
  type DomainSample,
  type DomainStats,
  domainSamples,
} from './domain-metrics.ts';
import { isMovingAway, MIGRATION_DEFINITIONS, migrationSamples } from './migration-metrics.ts';

/** A VMI of this node whose launcher answers. */
export interface MeasuredVmi {
  readonly vmi: VirtualMachineInstance;
  readonly connection: Pick<LauncherConnection, 'ask'>;
  readonly numbers: Pick<QemuNumbers, 'read'>;
  /** What the launcher said of its domain last. */
  readonly told?: DomainState;
  /** TAP device → name of the interface. */
  readonly taps: Readonly<Record<string, string>>;
}

export interface MetricsSource {
  readonly nodeName: string;
  measured(): readonly MeasuredVmi[];
  emulationAllowed(): boolean;
  deprecatedMachineTypes(): readonly string[];
  /** Those that ran when this process began: to be adopted. */
  readonly found: readonly VirtualMachineInstance[];
  /** Those that it serves with, PEM by name. */
  certificates(): Readonly<Record<string, string>>;
}

/** A launcher that does not answer in time is left out of this scrape. */
const ASK_MS = 3_000;
const ASK_BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];

export class Metrics {
  readonly client = new ClientMetrics();
  readonly queues = new QueueMetrics();
  readonly #syncs = new Meter(M.vmiSyncTotal);
  readonly #panics = new Meter(M.vmiGuestOsPanicTotal);
  readonly #asks = new Histogram(NODE_METRICS.launcherAskDurationSeconds, ASK_BOUNDS_SECONDS);
  readonly #strangers = new Set<string>();
  #adoptionSeconds: number | undefined;
  #source: MetricsSource | undefined;

  /** From now on VMIs are followed. */
  serve(source: MetricsSource): void {
    this.#source = source;
    for (const { metadata } of source.found) this.#strangers.add(metadata?.uid ?? '');
  }

  /** The launcher of this VMI is in our hands, or its VMI is gone. */
  adopted({ metadata }: VirtualMachineInstance): void {
    if (this.#strangers.delete(metadata?.uid ?? '') && this.#strangers.size === 0)
      this.#adoptionSeconds = performance.now() / 1000;
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
    const adoption = this.#adoptionSeconds;
    const samples = (await Promise.all((source?.measured() ?? []).map((one) => this.#ask(one)))).flat();
    // Grouped once: with hundreds of guests, looking for each family's samples anew would be felt.
    const grouped = Map.groupBy(samples, ([definition]) => definition);
    const of = (definition: MetricDefinition): readonly Sample[] =>
      (grouped.get(definition) ?? []).map(([, sample]) => sample);
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
      ...[...DOMAIN_DEFINITIONS, ...MIGRATION_DEFINITIONS].map((definition) => ({
        definition,
        samples: of(definition),
      })),
      this.#syncs.family(),
      this.#panics.family(),
      {
        definition: NODE_METRICS.virtHandlerAdoptionSeconds,
        samples: adoption === undefined ? [] : [{ labels: { node: nodeName }, value: adoption }],
      },
      this.#asks.family(),
      ...processFamilies(source?.certificates()),
      ...this.client.families(),
      ...this.queues.families(),
    ];
  }

  async #ask(measured: MeasuredVmi): Promise<readonly DomainSample[]> {
    const { vmi, connection, taps } = measured;
    const askedAt = performance.now();
    const stats = await numbersOf(measured);
    if (stats === undefined) return [];
    this.#asks.observe({}, (performance.now() - askedAt) / 1000);
    const names = this.#names(vmi, taps);
    const progress = isMovingAway(vmi, this.#source?.nodeName ?? '')
      ? await answerOf(connection, 'getMigrationProgress')
      : undefined;
    const moved = progress === undefined ? [] : migrationSamples(progress, names.labels);
    return [...domainSamples(stats, names), ...moved];
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

/** A QEMU that was started without a monitor for numbers is asked through its launcher. */
async function numbersOf({ numbers, taps, told, connection }: MeasuredVmi): Promise<DomainStats | undefined> {
  try {
    const own = await numbers.read(Object.keys(taps), told);
    return own ?? (await answerOf(connection, 'getDomainStats'));
  } catch {
    return undefined; // it starts, ends or is lost, as below
  }
}

/** Undefined from a launcher that starts, ends or is lost: no numbers are better than old ones. */
async function answerOf(
  connection: Pick<LauncherConnection, 'ask'>,
  question: 'getDomainStats' | 'getMigrationProgress',
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const answer: unknown = JSON.parse(await connection.ask(question, AbortSignal.timeout(ASK_MS)));
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
