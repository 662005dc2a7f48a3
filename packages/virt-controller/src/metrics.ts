/** All metrics of virt-controller, by KubeVirt's names. Values are read when somebody asks. */
import { Gauge, Registry } from 'prom-client';
import type { Caches } from './caches.ts';

export class Metrics {
  readonly #registry = new Registry();
  readonly #leading: Gauge;
  readonly #ready: Gauge;

  constructor() {
    const registers = [this.#registry];
    this.#leading = new Gauge({
      name: 'kubevirt_virt_controller_leading_status',
      help: 'Indication for an operating virt-controller: 1 when this process leads.',
      registers,
    });
    this.#ready = new Gauge({
      name: 'kubevirt_virt_controller_ready_status',
      help: 'Indication for a virt-controller that is ready to take the lead.',
      registers,
    });
    this.#ready.set(1);
  }

  /** The controllers run on these caches. */
  lead(caches: Caches): void {
    this.#leading.set(1);
    const phases = new Gauge({
      name: 'kubevirt_vmi_phase_count',
      help: 'Number of VMIs by phase and node.',
      labelNames: ['phase', 'node'],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { status } of caches.vmis.list()) {
          this.inc({ phase: (status?.phase ?? 'Pending').toLowerCase(), node: status?.nodeName ?? '' });
        }
      },
    });
    const machines = new Gauge({
      name: 'kubevirt_number_of_vms',
      help: 'Number of VMs by namespace.',
      labelNames: ['namespace'],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { metadata } of caches.vms.list()) this.inc({ namespace: metadata?.namespace ?? '' });
      },
    });
    phases.reset();
    machines.reset();
  }

  async render(): Promise<{ type: string; body: string }> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }
}
