/** Objectives from what the processes have counted since they began, without a Prometheus. Pure. */
import type { Objective } from '@podvisor/api';

export interface Point {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Series = Extract<Objective['measure'], { kind: 'maximum' }>['series'];

/** Reads Prometheus' text format, as our own processes write it. */
export function parseExposition(text: string): readonly Point[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (match === null) return [];
    const [, name = '', labels = '', value = ''] = match;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', one = '']) => [
      key,
      one.replaceAll(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c)),
    ]);
    return [{ name, labels: Object.fromEntries(pairs), value: numberOf(value) }];
  });
}

/** Undefined where nothing was counted, or where only a history can tell. */
export function fromCounters({ measure }: Objective, points: readonly Point[]): number | undefined {
  switch (measure.kind) {
    case 'quantile':
      return quantile(measure.quantile, chosen(points, measure.series, '_bucket'));
    case 'ratio': {
      const all = total(chosen(points, measure.all));
      return all === 0 ? undefined : (100 * total(chosen(points, measure.good))) / all;
    }
    case 'maximum': {
      const values = chosen(points, measure.series).map(({ value }) => value);
      return values.length === 0 ? undefined : Math.max(...values);
    }
    case 'resets':
      return undefined;
  }
}

function chosen(points: readonly Point[], { metric, labels = {} }: Series, suffix = ''): readonly Point[] {
  return points.filter(
    (point) =>
      point.name === `${metric}${suffix}` &&
      Object.entries(labels).every(([key, wanted]) =>
        new RegExp(`^(?:${wanted})$`).test(point.labels[key] ?? ''),
      ),
  );
}

function total(points: readonly Point[]): number {
  return points.reduce((sum, { value }) => sum + value, 0);
}

/** As Prometheus does it: straight lines within a bucket; the last bound when it lies beyond. */
function quantile(q: number, buckets: readonly Point[]): number | undefined {
  const byBound = Map.groupBy(buckets, ({ labels }) => numberOf(labels['le'] ?? ''));
  const sums = [...byBound]
    .map(([bound, points]) => ({ bound, count: total(points) }))
    .toSorted((a, b) => a.bound - b.bound);
  const all = sums.at(-1)?.count ?? 0;
  if (all === 0) return undefined;
  const rank = q * all;
  const index = sums.findIndex(({ count }) => count >= rank);
  const { bound = 0, count = 0 } = sums[index] ?? {};
  const below = sums[index - 1] ?? { bound: 0, count: 0 };
  if (bound === Number.POSITIVE_INFINITY) return below.bound;
  return below.bound + ((bound - below.bound) * (rank - below.count)) / (count - below.count);
}

function numberOf(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}
