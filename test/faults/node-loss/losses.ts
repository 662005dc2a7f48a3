/**
 * Rounds of losses and cuts of nodes, drawn at random: what is taken from which nodes, for how long, and what else
 * happens to the guests on them. All that a round draws follows from the seed and its number alone, so that a run goes
 * on where another one ended. A round is over when its nodes are back and every guest writes, wherever it is.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import { randomFrom } from '@podvisor/base';
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

/** What is drawn for a node. */
interface Draw {
  readonly kind: Kind;
  readonly waitMs: number;
}

export interface Loss {
  readonly node: string;
  readonly kind: Kind;
  /** Absent: until its guests ran elsewhere. */
  readonly seconds?: number;
  readonly controllerKilled: boolean;
  /** The guests that were on the node. */
  readonly guests: readonly {
    readonly name: string;
    readonly extra: Extra;
    /** Another run than before. */
    readonly isNew: boolean;
    /** Power lost → Running elsewhere. */
    readonly elsewhereMs?: number;
  }[];
}

export interface LossesOptions {
  readonly world: LossWorld;
  readonly survivors: readonly Survivor[];
  readonly times: Times;
  readonly seed: number;
  /** Nodes that are hit together; others must be left. */
  readonly atOnce: number;
}

export class Losses {
  readonly #options: LossesOptions;
  readonly #longestMs: number;

  constructor(options: LossesOptions) {
    this.#options = options;
    const { leaseSeconds, silenceSeconds } = options.times;
    // Guests of a node that is cut off for longer run elsewhere already, and nothing more happens.
    this.#longestMs = (leaseSeconds + silenceSeconds) * 2_000 + 4_000;
  }

  async round(number: number): Promise<readonly Loss[]> {
    const { survivors, seed, atOnce, world } = this.#options;
    const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ number);
    const draw = <Value>(values: readonly [Value, ...Value[]]): Value =>
      values[Math.floor(random() * values.length)] ?? values[0];
    const kills = random() < 0.25;
    const draws = Array.from(
      { length: atOnce },
      (): Draw => ({
        kind: draw(KINDS),
        waitMs: random() * this.#longestMs,
      }),
    );
    const extras = survivors.map(() => draw(EXTRAS));
    const targets = await this.#targets(extras);
    const losses = targets.slice(0, atOnce).map(async ([node, hits], index) => {
      const { kind, waitMs } = draws[index] ?? { kind: 'power', waitMs: 0 };
      return await this.#lose(node, kind, waitMs, hits);
    });
    if (kills) process.kill(await world.instance.pidOf('virt-controller'), 'SIGKILL');
    const done = await Promise.all(losses);
    return done.map((loss) => ({ ...loss, controllerKilled: kills }));
  }

  async #lose(
    node: string,
    kind: Kind,
    waitMs: number,
    drawn: readonly Hit[],
  ): Promise<Omit<Loss, 'controllerKilled'>> {
    // Without power there is nothing left to stop.
    const hits = drawn.map((hit) => (kind === 'power' ? { ...hit, extra: 'nothing' as const } : hit));
    const lostAt = Date.now();
    await this.#take(kind, node);
    const goOn = hits.map(({ extra, before }) => stopped(extra, before));
    const elsewhereMs =
      kind === 'power'
        ? await Promise.all(hits.map((hit) => this.#elsewhere(hit, lostAt)))
        : await pause(waitMs);
    for (const wake of goOn) wake();
    await this.#options.world.heal(node);
    const guests = await Promise.all(
      hits.map(async ({ survivor, before, extra }, index) => {
        await this.#runs(survivor);
        const isNew = (await survivor.vmi())?.metadata?.uid !== before.metadata?.uid;
        const ms = elsewhereMs?.[index];
        return { name: survivor.name, extra, isNew, ...(ms === undefined ? {} : { elsewhereMs: ms }) };
      }),
    );
    return { node, kind, ...(kind === 'power' ? {} : { seconds: Math.round(waitMs / 100) / 10 }), guests };
  }

  /** Nodes with guests on them, those with most guests first. */
  async #targets(extras: readonly Extra[]): Promise<readonly (readonly [string, readonly Hit[]])[]> {
    const all = await Promise.all(
      this.#options.survivors.map(async (survivor, index) => {
        const before = await this.#runs(survivor);
        return { survivor, before, extra: extras[index] ?? 'nothing' };
      }),
    );
    const byNode = Map.groupBy(all, ({ before }) => before.status?.nodeName ?? '');
    return [...byNode].toSorted(([, a], [, b]) => b.length - a.length);
  }

  async #take(kind: Kind, node: string): Promise<void> {
    const { world } = this.#options;
    if (kind === 'storage' || kind === 'both') await world.fault('cut', node, '--storage');
    if (kind === 'network' || kind === 'both') await world.fault('cut', node);
    if (kind === 'power') await world.fault('kill', node);
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
