/**
 * Has the kernel merge equal memory pages where the configuration says so and the node's memory gets tight
 * (`spec.configuration.ksmConfiguration`), as KubeVirt's clients know it: the label `kubevirt.io/ksm-enabled` says
 * whether the node is chosen, the annotation `kubevirt.io/ksm-handler-managed` whether we turned it on. What somebody
 * else turned on is left alone where the node is not chosen, and ours is turned off when we end.
 */
import { annotations, labels, type LabelSelector, matchesSelector, type Node } from '@podvisor/api';
import { type Clock, deepEqual, sleep } from '@podvisor/base';
import { type KubeClient, type Log, resources, tellTrouble } from '@podvisor/kube';
import type { KsmKernel } from './kernel.ts';
import { ksmSettings, nextKsmState } from './plan.ts';

/** How memory fills is not told by any event; pages to look at go up and down in steps of this length. */
const STEP_MS = 3 * 60_000;
/** Where no node is to be chosen the configuration tells of a change; this only mends a label that somebody took away. */
const IDLE_MS = 24 * 60 * 60_000;

export interface KsmOptions {
  readonly client: Pick<KubeClient, 'get' | 'patch'>;
  readonly nodeName: string;
  readonly kernel: KsmKernel;
  /** Of the configuration now; undefined: no node is chosen. */
  readonly selector: () => LabelSelector | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export class Ksm {
  readonly #options: KsmOptions;
  #again = new AbortController();
  /** Which nodes were chosen at the last step. */
  #selector: LabelSelector | undefined;
  /** The kernel merges because we said so, this process or the one before it. */
  #isOurs = false;

  constructor(options: KsmOptions) {
    this.#options = options;
  }

  /** The KubeVirt object has changed. A step is taken early only where other nodes are chosen: each gets more pages. */
  look(): void {
    if (!deepEqual(this.#options.selector(), this.#selector)) this.#again.abort();
  }

  /** Until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { kernel, selector, clock, log } = this.#options;
    while (!signal.aborted) {
      this.#again = new AbortController();
      let restMs = STEP_MS;
      this.#selector = selector();
      try {
        await this.#step(signal);
        if (this.#selector === undefined) restMs = IDLE_MS;
      } catch (error) {
        if (!signal.aborted)
          tellTrouble(log, error, { fields: {}, message: 'equal memory pages: trying again later' });
      }
      const changed = AbortSignal.any([signal, this.#again.signal]);
      await sleep(clock, restMs, changed).catch(() => undefined); // A signal ends it early.
    }
    if (this.#isOurs) kernel.stop();
  }

  async #step(signal: AbortSignal): Promise<void> {
    const { client, nodeName, kernel } = this.#options;
    const now = kernel.read();
    const node = await client.get(resources.nodes, { name: nodeName }, signal);
    const marks = node.metadata.annotations ?? {};
    this.#isOurs ||= now?.running === true && marks[annotations.ksmHandlerManaged] === 'true';
    const isChosen = now !== undefined && matchesSelector(this.#selector, node.metadata.labels);
    if (isChosen) {
      const next = nextKsmState(now, kernel.memory(), ksmSettings(marks));
      kernel.write(next);
      this.#isOurs = next.running;
    } else if (this.#isOurs) {
      kernel.stop();
      this.#isOurs = false;
    }
    await this.#mark(node, isChosen, signal);
  }

  async #mark(node: Node, isChosen: boolean, signal: AbortSignal): Promise<void> {
    const { client, nodeName } = this.#options;
    const wanted = {
      labels: { [labels.ksmEnabled]: String(isChosen) },
      annotations: { [annotations.ksmHandlerManaged]: String(this.#isOurs) },
    };
    const isThere =
      node.metadata.labels?.[labels.ksmEnabled] === String(isChosen) &&
      node.metadata.annotations?.[annotations.ksmHandlerManaged] === String(this.#isOurs);
    if (isThere) return;
    await client.patch(
      resources.nodes,
      { name: nodeName },
      { type: 'merge', body: { metadata: wanted } },
      signal,
    );
  }
}
