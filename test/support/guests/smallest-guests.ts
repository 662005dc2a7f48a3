/** As many of the smallest guests as are asked for, followed by watch. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { followVmis } from './follow-vmis.ts';
import { smallestVmi } from './smallest-vmi.ts';

export const NAMESPACE = 'default';
/** How many guests may be on their way at once: more would only wait for each other. */
const STARTING = 8;

export class SmallestGuests implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #areStopped: boolean;
  readonly #running = new Set<string>();
  readonly #stop = new AbortController();
  #changed = Promise.withResolvers<void>();
  #made = 0;

  private constructor(client: KubeClient, areStopped: boolean) {
    this.#client = client;
    this.#areStopped = areStopped;
  }

  static async follow(client: KubeClient, areStopped: boolean): Promise<SmallestGuests> {
    const guests = new SmallestGuests(client, areStopped);
    await followVmis(client, NAMESPACE, guests.#look, guests.#stop.signal);
    return guests;
  }

  readonly #look = ({ metadata, status }: VirtualMachineInstance): void => {
    if (status?.phase === 'Running') this.#running.add(metadata?.name ?? '');
    else this.#running.delete(metadata?.name ?? '');
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  };

  get size(): number {
    return this.#running.size;
  }

  /** Milliseconds until so many run. */
  async grow(size: number): Promise<number> {
    const began = performance.now();
    while (this.#running.size < size) {
      const changed = this.#changed.promise;
      while (this.#made < size && this.#made - this.#running.size < STARTING) {
        const vmi = smallestVmi(`guest-${this.#made}`, NAMESPACE, this.#areStopped);
        await this.#client.create(resources.virtualMachineInstances, vmi);
        this.#made += 1;
      }
      await changed;
    }
    return performance.now() - began;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
  }
}
