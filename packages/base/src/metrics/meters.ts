/** Numbers that add up over the life of a process: counters, gauges and histograms by their labels. */
import type { MetricDefinition, MetricFamily, Sample } from './exposition.ts';

export type Labels = Readonly<Record<string, string>>;

/** A counter or a gauge. */
export class Meter {
  readonly definition: MetricDefinition;
  readonly #values = new Map<string, { readonly labels: Labels; value: number }>();

  constructor(definition: MetricDefinition) {
    this.definition = definition;
  }

  add(labels: Labels = {}, by = 1): void {
    this.#entry(labels).value += by;
  }

  set(labels: Labels, value: number): void {
    this.#entry(labels).value = value;
  }

  remove(labels: Labels): void {
    this.#values.delete(JSON.stringify(labels));
  }

  family(): MetricFamily {
    const samples = [...this.#values.values()].map(({ labels, value }): Sample => ({ labels, value }));
    return { definition: this.definition, samples };
  }

  #entry(labels: Labels): { value: number } {
    const key = JSON.stringify(labels);
    const found = this.#values.get(key);
    if (found !== undefined) return found;
    const made = { labels, value: 0 };
    this.#values.set(key, made);
    return made;
  }
}

interface Distribution {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
  count: number;
}

export class Histogram {
  readonly definition: MetricDefinition;
  /** Upper bounds, rising; the last bucket, without one, is implied. */
  readonly #bounds: readonly number[];
  readonly #values = new Map<string, Distribution>();

  constructor(definition: MetricDefinition, bounds: readonly number[]) {
    this.definition = definition;
    this.#bounds = bounds;
  }

  /** Is told from now on, with nothing in it: what is first seen with something in it has not grown for Prometheus. */
  announce(labels: Labels): void {
    this.#entry(labels);
  }

  observe(labels: Labels, value: number): void {
    const found = this.#entry(labels);
    found.sum += value;
    found.count += 1;
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) found.counts[bucket] = (found.counts[bucket] ?? 0) + 1;
  }

  family(): MetricFamily {
    return {
      definition: this.definition,
      samples: [...this.#values.values()].flatMap((d) => this.#samples(d)),
    };
  }

  #entry(labels: Labels): Distribution {
    const key = JSON.stringify(labels);
    const found = this.#values.get(key) ?? { labels, counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    this.#values.set(key, found);
    return found;
  }

  #samples({ labels, counts, sum, count }: Distribution): readonly Sample[] {
    let below = 0;
    return [
      ...this.#bounds.map((bound, i): Sample => {
        below += counts[i] ?? 0;
        return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below };
      }),
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: count },
    ];
  }
}
