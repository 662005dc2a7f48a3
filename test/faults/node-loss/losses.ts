/**
 * One loss or cut of a node after the other, drawn at random: what is taken from which node, for how long, and what
 * else happens to the guests on it. A loss is over when its node is back and every guest writes, wherever it is.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import { eventually } from '../../support/eventually.ts';
import { type LossWorld, stopLauncher, stopPod, type Survivor, type Times } from './world.ts';

/** Software emulation of several guests that boot at once, on a busy machine. */
const RUNS_MS = 400_000;

const KINDS = ['power', 'network', 'storage', 'both'] as const;
type Kind = (typeof KINDS)[number];
/** What else happens to a guest. The launcher, or all of its Pod, goes on later, when somebody else may have its disks. */
const EXTRAS = ['nothing', 'nothing', 'nothing', 'launcher stopped', 'Pod stopped'] as const;
type Extra = (typeof EXTRAS)[number];

interface Hit {
  readonly survivor: Survivor;
  readonly before: VirtualMachineInstance;
  readonly extra: Extra;
}

export interface Outcome {
  readonly kind: Kind;
  readonly told: string;
  /** The guests that were on the node. */
  readonly guests: readonly {
    /** Another run than before. */
    readonly isNew: boolean;
    /** Power lost → Running elsewhere; only where nothing else happened. */
    readonly elsewhereMs: number | undefined;
  }[];
}

export class Losses {
  readonly #world: LossWorld;
  readonly #survivors: readonly Survivor[];
  readonly #random: () => number;
  readonly #longestMs: number;

  constructor(world: LossWorld, survivors: readonly Survivor[], random: () => number, times: Times) {
    this.#world = world;
    this.#survivors = survivors;
    this.#random = random;
    this.#longestMs = (times.leaseSeconds + times.silenceSeconds) * 2_000 + 20_000;
  }

  async next(): Promise<Outcome> {
    const kind = this.#draw(KINDS);
    const killsController = this.#random() < 0.25;
    const waitMs = this.#random() * this.#longestMs;
    const drawn = this.#survivors.map(() => this.#draw(EXTRAS));
    // Without power there is nothing left to stop.
    const extras = drawn.map((extra) => (kind === 'power' ? 'nothing' : extra));
    const { node, hits } = await this.#target(extras);
    const lostAt = Date.now();
    await this.#take(kind, node);
    if (killsController) process.kill(await this.#world.instance.pidOf('virt-controller'), 'SIGKILL');
    const goOn = hits.map(({ extra, before }) => stopped(extra, before));
    const elsewhereMs =
      kind === 'power'
        ? await Promise.all(hits.map((hit) => this.#elsewhere(hit, lostAt)))
        : await pause(waitMs);
    for (const wake of goOn) wake();
    await this.#world.heal(node);
    const guests = await Promise.all(
      hits.map(async ({ survivor, before }, index) => {
        await this.#runs(survivor);
        const isNew = (await survivor.vmi())?.metadata?.uid !== before.metadata?.uid;
        return { isNew, elsewhereMs: killsController ? undefined : elsewhereMs?.[index] };
      }),
    );
    const span = kind === 'power' ? 'for good' : `${(waitMs / 1000).toFixed(1)} s`;
    const told = [
      `${node} ${kind}, ${span}${killsController ? ', virt-controller killed' : ''}`,
      ...hits.map(
        ({ survivor, extra }, index) =>
          `${survivor.name} ${extra === 'nothing' ? '' : `(${extra}) `}${describe(guests[index]?.isNew, elsewhereMs?.[index])}`,
      ),
    ].join('; ');
    return { kind, told, guests };
  }

  /** The node that most guests are on. */
  async #target(extras: readonly Extra[]): Promise<{ readonly node: string; readonly hits: readonly Hit[] }> {
    const all = await Promise.all(
      this.#survivors.map(async (survivor, index) => {
        const before = await this.#runs(survivor);
        return { survivor, before, extra: extras[index] ?? 'nothing' };
      }),
    );
    const byNode = Map.groupBy(all, ({ before }) => before.status?.nodeName ?? '');
    const [most = ['', []]] = [...byNode].toSorted(([, a], [, b]) => b.length - a.length);
    return { node: most[0], hits: most[1] };
  }

  async #take(kind: Kind, node: string): Promise<void> {
    if (kind === 'storage' || kind === 'both') await this.#world.fault('cut', node, '--storage');
    if (kind === 'network' || kind === 'both') await this.#world.fault('cut', node);
    if (kind === 'power') await this.#world.fault('kill', node);
  }

  async #elsewhere({ survivor, before }: Hit, lostAt: number): Promise<number> {
    await survivor.restarted(before, RUNS_MS);
    return Date.now() - lostAt;
  }

  /** It runs, and writes. */
  async #runs(survivor: Survivor): Promise<VirtualMachineInstance> {
    const vmi = await eventually(`one run of ${survivor.name}`, RUNS_MS, async () => {
      const found = await survivor.vmi();
      return found?.status?.phase === 'Running' ? found : undefined;
    });
    await survivor.writes(Date.now(), RUNS_MS);
    return vmi;
  }

  #draw<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[Math.floor(this.#random() * values.length)] ?? values[0];
  }
}

function stopped(extra: Extra, vmi: VirtualMachineInstance): () => void {
  switch (extra) {
    case 'nothing':
      return () => undefined;
    case 'launcher stopped':
      return stopLauncher(vmi);
    case 'Pod stopped':
      return stopPod(vmi);
  }
}

async function pause(ms: number): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

function describe(isNew: boolean | undefined, elsewhereMs: number | undefined): string {
  if (elsewhereMs !== undefined) return `elsewhere after ${(elsewhereMs / 1000).toFixed(1)} s`;
  return isNew === true ? 'started anew' : 'went on';
}
