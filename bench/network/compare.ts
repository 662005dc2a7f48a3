/** Contenders measured in turn, round by round, each beside the yardstick of its own round. */

export interface Contender {
  readonly name: string;
  /** One measurement: figures by name. */
  measure(): Promise<Readonly<Record<string, number>>>;
}

export interface Compared {
  readonly name: string;
  readonly figure: string;
  /** Median of all rounds. */
  readonly value: number;
  /** Median of the rounds' ratios to the yardstick, and how far they lie apart. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Each round begins with another contender, so that nobody always follows the same one; a busy moment of the machine
 * hits contender and yardstick of one round alike, which ratios of medians over all rounds would not see.
 */
export async function compareInTurn(
  yardstick: Contender,
  contenders: readonly Contender[],
  rounds: number,
): Promise<readonly Compared[]> {
  const all = [yardstick, ...contenders];
  const taken = new Map<string, Readonly<Record<string, number>>[]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < all.length; turn += 1) {
      const contender = all[(round + turn) % all.length];
      if (contender !== undefined) taken.get(contender.name)?.push(await contender.measure());
    }
  const beside = taken.get(yardstick.name) ?? [];
  return all.flatMap(({ name }) => summarise(name, taken.get(name) ?? [], beside));
}

/** Pure. */
export function summarise(
  name: string,
  taken: readonly Readonly<Record<string, number>>[],
  beside: readonly Readonly<Record<string, number>>[],
): readonly Compared[] {
  return Object.keys(taken[0] ?? {}).map((figure) => {
    const values = taken.map((one) => one[figure] ?? Number.NaN);
    const ratios = values.map((value, round) => value / (beside[round]?.[figure] ?? Number.NaN));
    return {
      name,
      figure,
      value: median(values),
      ratio: median(ratios),
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
    };
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** `masquerade  to the guest  0.131 Gbit/s = 0.97 × (0.93–1.02)`. */
export function line({ name, figure, value, ratio, lowest, highest }: Compared): string {
  const spread = `${lowest.toFixed(2)}–${highest.toFixed(2)}`;
  return `  ${name.padEnd(11)} ${figure.padEnd(12)} ${value.toFixed(3)} Gbit/s = ${ratio.toFixed(2)} × (${spread})`;
}
