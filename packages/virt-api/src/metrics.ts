/** All metrics of virt-api, by KubeVirt's names: mostly who looks into which VMI. */
import { ALL_METRICS, API_METRICS as M, API_VERSION } from '@podvisor/api';
import { type Clock, Meter, type MetricFamily } from '@podvisor/base';
import { ClientMetrics } from '@podvisor/kube';

/** A VMI that somebody is connected to. */
export interface Watched {
  readonly namespace: string;
  readonly name: string;
}

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
  readonly #last = new Meter(M.vmiLastApiConnectionTimestampSeconds);

  constructor(clock: Clock, isReady: () => boolean) {
    this.#clock = clock;
    this.#isReady = isReady;
  }

  /** A stream of this subresource is open; call the answer when it ends. */
  opened(subresource: string, { namespace, name }: Watched): () => void {
    const labels = { namespace, vmi: name };
    const meter = this.#open[subresource.split('/')[0] ?? ''];
    const touch = (): void => this.#last.set(labels, Math.floor(this.#clock.now() / 1000));
    meter?.add(labels);
    touch();
    return () => {
      meter?.add(labels, -1);
      touch();
    };
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
      ...this.client.families(),
    ];
  }
}
