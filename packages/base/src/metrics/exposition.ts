/**
 * Metric families as text: Prometheus' own format (version 0.0.4) and OpenMetrics 1.0. Pure. Both give a series the
 * same name and value, so that a query does not care which of them was scraped.
 */

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** What a metric is; its samples come from elsewhere. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
}

export interface Sample {
  /** Absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  /** Histograms only: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
}

export interface MetricFamily {
  readonly definition: MetricDefinition;
  readonly samples: readonly Sample[];
}

export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

/** Newer readers want to know how names are written that older ones could not read; ours need no escaping. */
const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';
const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores';
const ESCAPED = /[\\"\n]/;
const UNIT = /_(seconds|bytes|ratio)$/;

/** The families in the format that the reader asks for; Prometheus' own unless `accept` prefers OpenMetrics 1.0. */
export function expositionFor(accept: string | undefined, families: Iterable<MetricFamily>): Exposition {
  return prefersOpenMetrics(accept ?? '')
    ? { contentType: OPENMETRICS_TYPE, body: openMetrics(families) }
    : { contentType: PROMETHEUS_TYPE, body: exposition(families) };
}

/** Prometheus' format of all families, also of those without samples: that a metric exists is worth telling. */
export function exposition(families: Iterable<MetricFamily>): string {
  const lines = new SampleLines();
  for (const { definition, samples } of families) {
    const { name, type, help } = definition;
    lines.push(`# HELP ${name} ${helpText(help)}`, `# TYPE ${name} ${type}`);
    lines.pushSamples(name, samples);
  }
  return lines.text();
}

/** OpenMetrics 1.0: a counter's family is named without `_total`, units are told, and the end is marked. */
export function openMetrics(families: Iterable<MetricFamily>): string {
  const lines = new SampleLines();
  for (const { definition, samples } of families) {
    const { name, type, help } = definition;
    const family = type === 'counter' ? name.replace(/_total$/, '') : name;
    const unit = UNIT.exec(family)?.[1];
    lines.push(`# TYPE ${family} ${type}`);
    if (unit !== undefined) lines.push(`# UNIT ${family} ${unit}`);
    lines.push(`# HELP ${family} ${helpText(help).replaceAll('"', '\\"')}`);
    lines.pushSamples(name, samples);
  }
  lines.push('# EOF');
  return lines.text();
}

/** The lines of one answer. Labels that several samples share, as the same object, are written once. */
class SampleLines {
  readonly #lines: string[] = [];
  readonly #labels = new Map<NonNullable<Sample['labels']>, string>();

  push(...lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  pushSamples(name: string, samples: readonly Sample[]): void {
    for (const { labels, value, suffix = '' } of samples)
      this.#lines.push(`${name}${suffix}${this.#labelText(labels)} ${numberText(value)}`);
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  #labelText(labels: Sample['labels']): string {
    if (labels === undefined) return '';
    const known = this.#labels.get(labels);
    if (known !== undefined) return known;
    const text = labelText(labels);
    this.#labels.set(labels, text);
    return text;
  }
}

function prefersOpenMetrics(accept: string): boolean {
  const weights = accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const of = (key: string) => parameters.find((one) => one.startsWith(`${key}=`))?.slice(key.length + 1);
    return { type, version: of('version') ?? '1.0.0', weight: Number(of('q') ?? 1) || 0 };
  });
  const best = (matches: (one: (typeof weights)[number]) => boolean): number =>
    Math.max(0, ...weights.filter(matches).map(({ weight }) => weight));
  const open = best((one) => one.type === 'application/openmetrics-text' && one.version === '1.0.0');
  return open > 0 && open >= best((one) => one.type === 'text/plain');
}

function helpText(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function labelText(labels: NonNullable<Sample['labels']>): string {
  const entries = Object.entries(labels);
  return entries.length === 0 ? '' : `{${entries.map(([key, value]) => `${key}="${escape(value)}"`).join()}}`;
}

function escape(value: string): string {
  if (!ESCAPED.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
}
