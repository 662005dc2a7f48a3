/** All metrics of virt-api, by KubeVirt's names: mostly who looks into which VMI. */
import { ALL_METRICS, API_METRICS as M, API_VERSION, STREAM_METRICS } from '@podvisor/api';
import { type Clock, type Labels, Meter, type MetricFamily } from '@podvisor/base';
import { ClientMetrics, processFamilies } from '@podvisor/kube';

/** A VMI that somebody is connected to. */
export interface Watched {
  readonly namespace: string;
  readonly name: string;
}

/** Subresources that are streams. */
const STREAMS = ['console', 'vnc', 'usbredir', 'vsock', 'portforward'] as const;

/** VMIs that nobody is connected to and whose last connection is still told. */
const MAX_IDLE = 1_000;

export class Metrics {
  readonly client = new ClientMetrics();
  readonly #clock: Clock;
  readonly #isReady: () => boolean;
  readonly #open: Readonly<Record<string, Meter>> = {
    console: new Meter(M.consoleActiveConnections),
    vnc: new Meter(M.vncActiveConnections),
    usbredir: new Meter(M.usbredirActiveConnections),
    portforward: new Meter(M.portforwardActiveTunnels),
  };
  /** Open streams by VMI. */
  readonly #streams = new Map<string, number>();
  /** VMIs without an open stream, the one that was left first in front. */
  readonly #idle = new Map<string, Labels>();
  readonly #last = new Meter(M.vmiLastApiConnectionTimestampSeconds);

  readonly #requests = new Meter(STREAM_METRICS.streamRequestsTotal);
  readonly #certificates: () => Readonly<Record<string, string>>;

  /** `certificates`: those that it serves with, PEM by name. */
  constructor(
    clock: Clock,
    isReady: () => boolean,
    certificates: () => Readonly<Record<string, string>> = () => ({}),
  ) {
    this.#certificates = certificates;
    this.#clock = clock;
    this.#isReady = isReady;
    // From 0 on: of a number that is first seen as 3, Prometheus would say that it has not grown.
    for (const subresource of STREAMS)
      for (const result of ['opened', 'refused', 'failed']) this.#requests.add({ subresource, result }, 0);
  }

  /** A stream of this subresource is open; call the answer when it ends. */
  opened(subresource: string, { namespace, name }: Watched): () => void {
    const labels = { namespace, vmi: name };
    const key = `${namespace}/${name}`;
    const meter = this.#open[subresource.split('/')[0] ?? ''];
    const touch = (): void => this.#last.set(labels, Math.floor(this.#clock.now() / 1000));
    meter?.add(labels);
    this.#streams.set(key, (this.#streams.get(key) ?? 0) + 1);
    this.#idle.delete(key);
    touch();
    return () => {
      meter?.add(labels, -1);
      touch();
      const left = (this.#streams.get(key) ?? 1) - 1;
      if (left > 0) this.#streams.set(key, left);
      else this.#rest(key, labels);
    };
  }

  /** Nobody is connected any more. The last connection is told for so many VMIs; the oldest makes room. */
  #rest(key: string, labels: Labels): void {
    this.#streams.delete(key);
    this.#idle.set(key, labels);
    const [oldest] = this.#idle;
    if (this.#idle.size <= MAX_IDLE || oldest === undefined) return;
    this.#idle.delete(oldest[0]);
    for (const meter of [...Object.values(this.#open), this.#last]) meter.remove(oldest[1]);
  }

  /** How a request for a stream ended: `refused` is the caller's doing, `failed` is ours. */
  requested(subresource: string, result: 'opened' | 'refused' | 'failed'): void {
    this.#requests.add({ subresource: subresource.split('/')[0] ?? '', result });
  }

  families(): readonly MetricFamily[] {
    return [
      {
        definition: ALL_METRICS.info,
        samples: [{ labels: { goversion: 'none', kubeversion: API_VERSION }, value: 1 }],
      },
      { definition: M.virtApiReadyStatus, samples: [{ value: this.#isReady() ? 1 : 0 }] },
      ...Object.values(this.#open).map((meter) => meter.family()),
      this.#last.family(),
      this.#requests.family(),
      ...processFamilies(this.#certificates()),
      ...this.client.families(),
    ];
  }
}
