/** Tells the guest about its host, through the channel and the disk that its VMI asks for. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Clock } from '@podvisor/base';
import type { ParamRecord } from '@podvisor/libvirt';
import { type Metric, metricsXml } from '@podvisor/storage';
import type { Log } from '../log.ts';
import { MetricsChannel } from './channel.ts';
import { MetricsDisk } from './metrics-disk.ts';
import { type HostIdentity, metricsReport, readHost } from './report.ts';

export interface DownwardMetricsOptions {
  /** Socket that QEMU makes when the VMI has the channel. */
  readonly channelPath: string;
  /** File that `storage` makes when the VMI has the disk. */
  readonly diskPath: string;
  readonly stats: () => Promise<ParamRecord>;
  readonly host: () => Promise<HostIdentity>;
  readonly clock: Clock;
  readonly log: Log;
}

export class DownwardMetrics {
  readonly #options: DownwardMetricsOptions;
  readonly #channel: MetricsChannel;
  readonly #disk: MetricsDisk;

  constructor(options: DownwardMetricsOptions) {
    this.#options = options;
    const { clock, log } = options;
    const report = (): Promise<readonly Metric[]> => this.#report();
    const xml = async (): Promise<string> => metricsXml(await report());
    this.#channel = new MetricsChannel({ path: options.channelPath, report: xml, clock, log });
    this.#disk = new MetricsDisk({ path: options.diskPath, report, clock, log });
  }

  /** Level-triggered: called whenever the state of the domain was looked at. */
  follow(active: boolean): void {
    if (!active) return this.stop();
    if (existsSync(this.#options.channelPath)) this.#channel.connect();
    if (existsSync(this.#options.diskPath)) this.#disk.start();
  }

  stop(): void {
    this.#channel.close();
    this.#disk.stop();
  }

  async #report(): Promise<readonly Metric[]> {
    const { host, stats, clock } = this.#options;
    const [identity, numbers, texts] = await Promise.all([
      host(),
      stats(),
      readHost(clock.now(), availableParallelism()),
    ]);
    return metricsReport(identity, numbers, texts);
  }
}
